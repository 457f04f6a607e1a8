/** Of packages: what tells compilers, debuggers and readers about them. Their licenses stay. */
const superfluous = /\.(map|d\.[cm]?ts|md|markdown|flow|tsbuildinfo)$/i;
const isLicence = /^(licen[cs]e|notice|copying)/i;

/** Tests that packages were published with. */
const ofTests = /(^|\/)(tests?|__tests__)$|\.(test|spec|tst)\.[cm]?[jt]sx?$/;

/** Of the embedded PostgreSQL: what programs in C are compiled and linked with. */
const forCompilers = /\.a$|\/libecpg|\/libpgtypes|\/pkgconfig\/|\/include\//;

/** @param inside a file or folder of a package, by its path in it; the folder's own files are not asked for then */
export function isLeftOut(inside: string): boolean {
  if (inside.startsWith('native/')) return forCompilers.test(`/${inside}`);
  if (ofTests.test(inside)) return true;
  const name = inside.slice(inside.lastIndexOf('/') + 1);
  return superfluous.test(name) && !isLicence.test(name);
}
