import { readFileSync } from 'node:fs';
import { settings } from '../../packages/server/src/platform/config.ts';
import { documentedSecrets } from './environment.ts';
import { type Manifest, nameOf } from './kustomization.ts';
import { isSelected, type Pods, podsOf, type Selector } from './objects.ts';

/** Checks references between objects: pods, ports, deployments, secrets, metrics, connections. */
export function referenceProblems(manifests: readonly Manifest[]): string[] {
  const pods = podsOf(manifests);
  const problems = manifests.flatMap((manifest) =>
    [...selectionProblems(manifest, pods, manifests), ...secretProblems(manifest)].map(
      (problem) => `${nameOf(manifest)}: ${problem}`,
    ),
  );
  return [...problems, ...metricProblems(manifests), ...connectionProblems(manifests)];
}

interface Selecting {
  selector?: Record<string, string> | Selector;
  podSelector?: Selector;
  ports?: { name: string; targetPort?: string }[];
  endpoints?: { port: string; path?: string }[];
  podMetricsEndpoints?: { port: string; path?: string }[];
  ingress?: { ports?: { port?: string | number }[] }[];
  scaleTargetRef?: { kind: string; name: string };
}

function* selectionProblems(
  manifest: Manifest,
  all: Pods[],
  manifests: readonly Manifest[],
): Generator<string> {
  const { kind, spec } = manifest;
  const of = (spec ?? {}) as Selecting;
  if (kind === 'Service') {
    const pods = all.filter(({ labels }) =>
      isSelected(labels, { matchLabels: of.selector as Record<string, string> }),
    );
    yield* missingPorts(
      (of.ports ?? []).map(({ targetPort }) => targetPort),
      pods,
    );
  } else if (kind === 'PodDisruptionBudget' || kind === 'PodMonitor') {
    const selector = of.selector as Selector;
    if ('cnpg.io/cluster' in (selector.matchLabels ?? {})) return; // the operator's pods aren't in any file
    const pods = all.filter(({ labels }) => isSelected(labels, selector));
    // Monitoring built alone has no pods, because the pods are in the base.
    if (kind === 'PodMonitor' && all.length === 0) return;
    yield* missingPorts(
      (of.podMetricsEndpoints ?? []).map(({ port }) => port),
      pods,
    );
  } else if (kind === 'NetworkPolicy') {
    const pods = all.filter(({ labels }) => isSelected(labels, of.podSelector ?? {}));
    const ports = (of.ingress ?? []).flatMap((rule) => (rule.ports ?? []).map(({ port }) => port));
    yield* missingPorts(
      ports.filter((port) => typeof port === 'string'),
      pods.filter(({ owner }) => owner.kind === 'Deployment'),
    );
  } else if (kind === 'ServiceMonitor' && all.length > 0) {
    const services = manifests.filter(
      (each) => each.kind === 'Service' && isSelected(each.metadata.labels ?? {}, of.selector as Selector),
    );
    if (services.length === 0) yield 'selects no Service';
    for (const { port } of of.endpoints ?? [])
      if (!services.every((each) => (each.spec as Selecting).ports?.some(({ name }) => name === port)))
        yield `uses port ${port}, which is not a port of the Service`;
  } else if (kind === 'HorizontalPodAutoscaler' && all.length > 0) {
    const scaled = all.find(
      ({ owner }) =>
        owner.kind === of.scaleTargetRef?.kind && owner.metadata.name === of.scaleTargetRef?.name,
    );
    if (scaled === undefined) yield `scales ${of.scaleTargetRef?.name}, which does not exist`;
    else if ('replicas' in (scaled.owner.spec as object))
      yield `scales ${of.scaleTargetRef?.name}, but each apply would reset its number of replicas`;
  }
}

function* missingPorts(ports: (string | undefined)[], pods: Pods[]): Generator<string> {
  if (pods.length === 0) yield 'selects no pods';
  for (const port of ports)
    for (const { owner, containers } of pods)
      if (!containers.some((container) => container.ports?.some(({ name }) => name === port)))
        yield `names port ${port}, which ${nameOf(owner)} does not have`;
}

/**
 * Reports undocumented secrets in objects other than pods. A pod's secrets are checked with its variables.
 */
function* secretProblems({ kind, spec }: Manifest): Generator<string> {
  const text = JSON.stringify(spec ?? {});
  const wanted = [
    ...(kind === 'Ingress' ? text.matchAll(/"secretName":"([^"]+)"()/g) : []),
    ...(kind === 'Cluster' ? text.matchAll(/"(?:secret|passwordSecret)":\{"name":"([^"]+)"()/g) : []),
    ...(kind === 'ObjectStore' ? text.matchAll(/\{"name":"([^"]+)","key":"([^"]+)"\}/g) : []),
  ];
  for (const [, secret, key] of wanted)
    if (
      ![...documentedSecrets].some((each) =>
        key ? each === `${secret}/${key}` : each.startsWith(`${secret}/`),
      )
    )
      yield `docs/deploying.md does not list the secret ${secret}${key ? `/${key}` : ''}`;
}

interface Scaling {
  maxReplicas: number;
  metrics: { pods?: { metric: { name: string } }; external?: { metric: { name: string } } }[];
}

/** Checks that autoscalers use metrics that the adapter derives from the service's metrics. */
function metricProblems(manifests: readonly Manifest[]): string[] {
  const rules = manifests
    .flatMap(({ kind, data }) => (kind === 'ConfigMap' ? [JSON.stringify(data)] : []))
    .join();
  const exposed = readFileSync('packages/server/src/platform/telemetry/metric-table.ts', 'utf8');
  const used = manifests.flatMap(({ kind, spec }) =>
    kind === 'HorizontalPodAutoscaler'
      ? (spec as Scaling).metrics.flatMap(
          ({ pods, external }) => pods?.metric.name ?? external?.metric.name ?? [],
        )
      : [],
  );
  const derived = [...rules.matchAll(/as: (attribution_\w+)/g)].map(([, name]) => name);
  const read = [...rules.matchAll(/attribution_\w+/g)].map(([name]) => name);
  return [
    ...used.filter((name) => !rules.includes(name)).map((name) => `no rule of the adapter defines ${name}`),
    ...[...new Set(read)]
      .filter((name) => !derived.includes(name) && !exposed.includes(`'${name}'`))
      .map((name) => `the adapter reads ${name}, which the service does not expose`),
  ];
}

/** Number of connections reserved for people, the operator, the database's replicas and the migration. */
const otherConnections = 30;

/** Checks that the database accepts connections from all processes that may run at once. */
function connectionProblems(manifests: readonly Manifest[]): string[] {
  const database = manifests.find(({ kind }) => kind === 'Cluster')?.spec as
    | { postgresql?: { parameters?: Record<string, string> } }
    | undefined;
  const processes = manifests
    .filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
    .reduce((sum, { spec }) => sum + (spec as Scaling).maxReplicas + 1, 0);
  if (database === undefined || processes === 0) return [];
  const each = Number(settings.databasePoolSize.fallback) + 3 * Number(settings.recordLanes.fallback) + 10;
  const needed = processes * each + otherConnections;
  const max = Number(database.postgresql?.parameters?.max_connections);
  return max >= needed ? [] : [`the database accepts ${max} connections, but there may be ${needed}`];
}
