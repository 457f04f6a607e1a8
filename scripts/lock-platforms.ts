import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Some tools come as one package a platform. A registry that lacks a foreign one leaves it out of the
 * lockfile, and then `npm ci` refuses the lockfile. This adds what is missing, as npm would: optional,
 * and for its platform only. Run it after `npm install`; with --check it only looks.
 */
interface LockEntry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, LockEntry> };
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
      optional: true,
      os: [os],
    };
    missing.push(name);
  }
}

if (missing.length > 0 && process.argv.includes('--check')) {
  process.stderr.write(`package-lock.json lacks ${missing.join(', ')}: run \`npm run lock\`.\n`);
  process.exitCode = 1;
} else if (missing.length > 0) {
  const sorted = Object.entries(lock.packages).sort(([one], [other]) => one.localeCompare(other, 'en'));
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
  process.stdout.write(`added ${missing.join(', ')}\n`);
}
