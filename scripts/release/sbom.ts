import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';

interface LockEntry {
  version?: string;
  integrity?: string;
  license?: string;
  link?: boolean;
  resolved?: string;
  optional?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

interface Found {
  place: string;
  name: string;
  entry: LockEntry & { version: string };
  dependsOn: string[];
}

/**
 * Returns the bill of materials of an installation, as CycloneDX 1.6: the server's packages, Node itself, the
 * embedded PostgreSQL of each platform, and the packages in the dashboard, which npm counts as tools. The
 * bill depends only on the lockfile, so a commit always produces the same bill.
 * @param timestamp time of the commit
 */
export function billOfMaterials(timestamp: string): unknown {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    name: string;
    version: string;
    description: string;
    license: string;
  };
  const roots = [
    ...dependenciesOf(lock.packages['']),
    ...dependenciesOf(lock.packages['packages/server'], 'packages/server'),
    ...dashboardPackages().map((name) => ({ name, from: 'packages/web' })),
  ];
  const found = new Map<string, Found>();
  const direct = roots.flatMap((wanted) => follow(lock.packages, found, wanted) ?? []);
  const all = [...found.values()].sort((one, other) => (one.place < other.place ? -1 : 1));
  const ref = `${manifest.name}@${manifest.version}`;
  const body = {
    metadata: {
      timestamp,
      component: {
        type: 'application',
        'bom-ref': ref,
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        licenses: [{ license: { id: manifest.license } }],
        purl: `pkg:npm/${ref}`,
      },
    },
    components: all.map(componentOf),
    dependencies: [
      { ref, dependsOn: [...new Set(direct)].sort() },
      ...all.map(({ place, dependsOn }) => ({ ref: place, dependsOn: [...new Set(dependsOn)].sort() })),
    ],
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(body))}`,
    version: 1,
    ...body,
  };
}

interface Wanted {
  name: string;
  /** Location of the package that depends on this one. */
  from: string;
}

const dependenciesOf = (entry: LockEntry | undefined, from = ''): Wanted[] =>
  Object.keys({ ...entry?.dependencies, ...entry?.optionalDependencies }).map((name) => ({ name, from }));

/** Resolves a package as Node does, from the innermost folder outward. @returns null for a missing optional package */
function follow(
  packages: Record<string, LockEntry>,
  found: Map<string, Found>,
  { name, from }: Wanted,
): string | null {
  for (let at = from; ; at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '') {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    const entry = packages[place];
    if (entry?.version !== undefined) {
      if (found.has(place)) return place;
      const one: Found = { place, name, entry: { ...entry, version: entry.version }, dependsOn: [] };
      found.set(place, one);
      const wanted = [
        ...dependenciesOf(entry, place),
        ...Object.keys(entry.peerDependencies ?? {}).map((peer) => ({ name: peer, from: place })),
      ];
      one.dependsOn.push(
        ...wanted.flatMap((each) => (isThere(packages, each) ? (follow(packages, found, each) ?? []) : [])),
      );
      return place;
    }
    if (at === '') return null;
  }
}

/** Returns whether an installation runs a peer dependency: it must be installed, and not only for tools. */
const isThere = (packages: Record<string, LockEntry>, { name }: Wanted): boolean =>
  Object.keys(packages).some((place) => place.endsWith(`node_modules/${name}`)) && !tools.has(name);

/** Peers that are build tools or types, and never run. */
const tools = new Set(['typescript', 'vite', 'vitest', '@types/react', '@types/react-dom', '@types/node']);

function componentOf({ place, name, entry }: Found): unknown {
  const [scope, own] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const purl = `pkg:npm/${scope === undefined ? '' : `${encodeURIComponent(scope)}/`}${own}@${entry.version}`;
  return {
    type: 'library',
    'bom-ref': place,
    ...(scope !== undefined && { group: scope }),
    name: own,
    version: entry.version,
    scope: entry.optional === true ? 'optional' : 'required',
    ...(entry.integrity !== undefined && {
      hashes: [
        {
          alg: 'SHA-512',
          content: Buffer.from(entry.integrity.slice('sha512-'.length), 'base64').toString('hex'),
        },
      ],
    }),
    ...(entry.license !== undefined && {
      licenses: [
        /[() ]/.test(entry.license) ? { expression: entry.license } : { license: licenseOf(entry.license) },
      ],
    }),
    purl,
  };
}

/** Returns a license by its SPDX identifier, or by name if it has none. */
const licenseOf = (license: string): { id: string } | { name: string } =>
  /^[A-Z0-9][\w.+-]*$/i.test(license) && license !== 'UNLICENSED' ? { id: license } : { name: license };

function dashboardPackages(): string[] {
  const names = globSync('packages/web/src/**/*.{ts,tsx,css}').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/(?:from|import) ?\(?'((?:@[\w.-]+\/)?[\w-][\w.-]*)[^']*'/g)].map(
      ([, name = '']) => name,
    ),
  );
  const { devDependencies = {} } = JSON.parse(readFileSync('packages/web/package.json', 'utf8')) as LockEntry;
  return [...new Set(names)].filter((name) => name in devDependencies && !tools.has(name)).sort();
}

/** Returns a UUID derived from the contents (version 8: custom). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
