import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
export function productionPackages(install: string): string[] {
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
