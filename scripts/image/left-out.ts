/** Package files that only compilers, debuggers and people read. Licenses are not among them. */
const superfluous = /\.(map|d\.[cm]?ts|md|markdown|flow|tsbuildinfo)$/i;
const isLicense = /^(licen[cs]e|notice|copying)/i;

const ofTests = /(^|\/)(tests?|__tests__)$|\.(test|spec|tst)\.[cm]?[jt]sx?$/;

/** Files of the embedded PostgreSQL for compiling and linking C programs. */
const forCompilers = /\.a$|\/libecpg|\/libpgtypes|\/pkgconfig\/|\/include\//;

/** Returns whether the image excludes a file or folder. @param inside its path in the package */
export function isLeftOut(inside: string): boolean {
  if (inside.startsWith('native/')) return forCompilers.test(`/${inside}`);
  if (ofTests.test(inside)) return true;
  const name = inside.slice(inside.lastIndexOf('/') + 1);
  return superfluous.test(name) && !isLicense.test(name);
}
