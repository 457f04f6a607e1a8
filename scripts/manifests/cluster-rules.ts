import { bytesOf } from '../../packages/server/src/platform/database/server-settings.ts';
import { bodyLimitBytes } from '../../packages/server/src/platform/http/bodies/bound-bodies.ts';
import { type Manifest, nameOf } from './kustomization.ts';
import { podsOf } from './objects.ts';
import { serverSettingProblems } from './server-settings.ts';

/** Yields problems that a cluster would have with manifests that are each valid on their own. */
export function* clusterProblems(manifests: readonly Manifest[]): Generator<string> {
  for (const manifest of manifests)
    for (const problem of problemsOf(manifest)) yield `${nameOf(manifest)}: ${problem}`;
  const kinds = new Set(manifests.map(({ kind }) => kind));
  if (!kinds.has('Deployment')) return;
  yield* traceProblems(manifests);
  // An installation without its own database may also run its nightly jobs elsewhere.
  if (kinds.has('Cluster')) yield* nightProblems(manifests);
}

function problemsOf(manifest: Manifest): Iterable<string> {
  switch (manifest.kind) {
    case 'Cluster':
      return databaseProblems(manifest.spec as DatabaseCluster);
    case 'Ingress':
      return bodyProblems(manifest);
    case 'NetworkPolicy':
      return egressProblems(manifest.spec as Policy);
    default:
      return [];
  }
}

interface DatabaseCluster {
  postgresql?: { parameters?: Record<string, string> };
  walStorage?: { size?: string };
  resources?: { limits?: { memory?: string } };
}

/** Factor for spare space on the WAL volume, because PostgreSQL may temporarily exceed both limits. */
const walMargin = 1.25;

function* databaseProblems({ postgresql, walStorage, resources }: DatabaseCluster): Generator<string> {
  const { parameters = {} } = postgresql ?? {};
  yield* serverSettingProblems(parameters, resources?.limits?.memory);
  const { max_wal_size = '0', max_slot_wal_keep_size } = parameters;
  if (max_slot_wal_keep_size === undefined) {
    yield 'has no max_slot_wal_keep_size: an offline replica would fill the WAL volume and stop the database';
    return;
  }
  const needed = walMargin * (bytesOf(max_wal_size) + bytesOf(max_slot_wal_keep_size));
  if (bytesOf(walStorage?.size ?? '0') < needed)
    yield `walStorage is ${walStorage?.size ?? 'not set'}, but needs ${Math.ceil(needed / 1_024 ** 3)}Gi`;
}

const bodySize = 'nginx.ingress.kubernetes.io/proxy-body-size';

function* bodyProblems({ metadata }: Manifest): Generator<string> {
  const size = metadata.annotations?.[bodySize];
  if (size === undefined || bytesOf(size) < bodyLimitBytes)
    yield `${bodySize} is ${size ?? 'not set'}, but the service accepts bodies of ${bodyLimitBytes / 1_024 ** 2} MiB`;
}

interface Policy {
  egress?: {
    to?: { ipBlock?: { cidr: string; except?: string[] } }[];
    ports?: { port?: number | string }[];
  }[];
}

/** Ports for DNS and for the database, whose address is set by an overlay. */
const portsAnywhere: ReadonlySet<number | string | undefined> = new Set([53, 5432]);
const everywhere: Readonly<Record<string, readonly string[]>> = {
  '0.0.0.0/0': [
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.168.0.0/16',
  ],
  '::/0': ['fc00::/7', 'fe80::/10'],
};

/** Reports rules for external addresses that also allow internal addresses. */
function* egressProblems({ egress = [] }: Policy): Generator<string> {
  for (const { to, ports = [] } of egress) {
    if (to === undefined && (ports.length === 0 || ports.some(({ port }) => !portsAnywhere.has(port))))
      yield `lets pods connect to any address at port ${ports.map(({ port }) => port).join(', ')}; restrict it with "to"`;
    for (const { ipBlock } of to ?? [])
      for (const inside of everywhere[ipBlock?.cidr ?? ''] ?? [])
        if (!ipBlock?.except?.includes(inside)) yield `lets pods connect to ${inside}, which is internal`;
  }
}

const collectorPort = 4_318;

function* traceProblems(manifests: readonly Manifest[]): Generator<string> {
  const isOpen = manifests.some(
    ({ kind, spec }) =>
      kind === 'NetworkPolicy' &&
      (spec as Policy).egress?.some(
        ({ to, ports }) => to !== undefined && ports?.some(({ port }) => port === collectorPort),
      ),
  );
  if (!isOpen) yield `no policy allows traces to a collector at port ${collectorPort}`;
}

function* nightProblems(manifests: readonly Manifest[]): Generator<string> {
  const commands = podsOf(manifests)
    .filter(({ owner }) => owner.kind === 'CronJob')
    .flatMap(({ containers }) =>
      containers.map(({ command = [], args = [] }) => [...command, ...args].join(' ')),
    );
  for (const words of ['ledger verify', 'ledger verify --all', 'pg_dump'])
    if (!commands.some((each) => (words === 'pg_dump' ? each.includes(words) : each === words)))
      yield `no CronJob runs ${words}`;
}
