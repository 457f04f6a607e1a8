import { readFileSync } from 'node:fs';

/**
 * Checks the lockfile's guarantees: every installation gets the same version and bytes of each package from
 * any registry, and install scripts run only where `allowScripts` permits them
 * (docs/adr/0040-supply-chain.md).
 */
interface LockEntry {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
  os?: string | string[];
}

interface Manifest {
  optionalDependencies?: Record<string, string>;
  allowScripts?: Record<string, boolean>;
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  lockfileVersion: number;
  packages: Record<string, LockEntry>;
};
const { allowScripts = {}, optionalDependencies = {} } = JSON.parse(
  readFileSync('package.json', 'utf8'),
) as Manifest;

const problems: string[] = [];
const entries = Object.entries(lock.packages).filter(
  ([place, { link }]) => link !== true && place.includes('node_modules/'),
);
if (entries.length < 300) problems.push(`only ${entries.length} packages were found`);

let unknown = 0;
for (const [place, entry] of entries) {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  if (!/^\d+\.\d+\.\d+([-+][\w.+-]+)?$/.test(entry.version ?? ''))
    problems.push(`${place} has the invalid version ${entry.version}`);
  // A URL with a host would tie every installation to that host, or bypass the registry (git, a file, a URL).
  if (entry.resolved !== undefined)
    problems.push(`${place} names its source, ${entry.resolved}; run \`npm run lock\` to remove it`);
  if (entry.integrity === undefined && mayLackIntegrity(entry)) unknown += 1;
  else if (!isSha512(entry.integrity))
    problems.push(`${place} has ${entry.integrity ?? 'no integrity'}; it must be sha512`);
  if (entry.hasInstallScript === true && allowScripts[name] === undefined)
    problems.push(
      `${place} has an install script; set in \`allowScripts\` whether it may run, and why in docs/adr/0040-supply-chain.md`,
    );
}

for (const name of Object.keys(allowScripts))
  if (
    !entries.some(
      ([place, { hasInstallScript }]) => place.endsWith(`node_modules/${name}`) && hasInstallScript,
    )
  )
    problems.push(`allowScripts names ${name}, which has no install script`);

const pinned = new Set(
  Object.entries(optionalDependencies).flatMap(([name, version]) =>
    name.startsWith('node-') ? [version] : [],
  ),
);
if (pinned.size !== 1) problems.push(`Node is pinned at ${[...pinned].join(' and ') || 'no version'}`);

if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}
process.stdout.write(
  `${entries.length - unknown} packages with their sha512; ${unknown} for other platforms were missing from the registry\n`,
);

/**
 * Returns whether a package may lack a hash. This is allowed for another platform's package that was missing
 * from the registry (scripts/fix-lockfile.ts), but never for packages that run in production (on Linux,
 * without development tools).
 */
function mayLackIntegrity({ optional, dev, os }: LockEntry): boolean {
  const systems = [os ?? []].flat();
  return optional === true && systems.length > 0 && (dev === true || !systems.includes('linux'));
}

function isSha512(integrity: string | undefined): boolean {
  return integrity !== undefined && /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity);
}
