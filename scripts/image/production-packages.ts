import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/**
 * Returns the locations of the server's transitive dependencies. npm also installs optional peers, such as test runners that
 * the repository itself uses.
 */
export function productionPackages(install: string): string[] {
  const found = new Set<string>();
  const pending = ['packages/server'];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const manifest = JSON.parse(readFileSync(join(install, place, 'package.json'), 'utf8')) as Manifest;
    const { dependencies, optionalDependencies = {}, peerDependencies, peerDependenciesMeta = {} } = manifest;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const at = resolvePlace(install, place, name);
      const isOptional = name in optionalDependencies || peerDependenciesMeta[name]?.optional === true;
      if (at === null && !isOptional) throw new Error(`${place} needs ${name}, which is not installed`);
      if (at === null || found.has(at) || peerDependenciesMeta[name]?.optional === true) continue;
      found.add(at);
      pending.push(at);
    }
  }
  return [...found].sort();
}

/** Returns the location where Node would find a package that another package imports. */
function resolvePlace(install: string, from: string, name: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(join(install, place, 'package.json'))) return place;
    if (folder === '.') return null;
  }
}
