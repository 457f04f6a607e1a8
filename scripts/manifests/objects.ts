import type { Manifest } from './kustomization.ts';

/** Container fields that the checks read after validation against the kind's schema. */
export interface Container {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  env?: { name: string; value?: string }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    readOnlyRootFilesystem?: boolean;
    capabilities?: { drop?: string[] };
  };
  resources?: { limits?: { memory?: string }; requests?: { cpu?: string; memory?: string } };
}

export interface Probe {
  httpGet?: { path: string; port: string | number };
}

/** Pods created by a Deployment, a Job or a CronJob. */
export interface Pods {
  owner: Manifest;
  labels: Record<string, string>;
  initContainers: Container[];
  containers: Container[];
  volumes: { name: string; secret?: { secretName: string; items?: { key: string; path: string }[] } }[];
  terminationGracePeriodSeconds: number;
  runAsNonRoot: boolean;
  runAsUser: number | undefined;
  hasToken: boolean;
  /** Time limit for a rollout, in seconds; 600 by default. */
  progressDeadlineSeconds: number;
}

interface Workload {
  progressDeadlineSeconds?: number;
  template: {
    metadata: { labels: Record<string, string> };
    spec: {
      initContainers?: Container[];
      containers: Container[];
      volumes?: Pods['volumes'];
      terminationGracePeriodSeconds?: number;
      automountServiceAccountToken?: boolean;
      securityContext?: { runAsNonRoot?: boolean; runAsUser?: number };
    };
  };
}

export function podsOf(manifests: readonly Manifest[]): Pods[] {
  return manifests
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job' || kind === 'CronJob')
    .map((owner) => {
      const spec =
        owner.kind === 'CronJob' ? (owner.spec as Recurring).jobTemplate.spec : (owner.spec as Workload);
      return { owner, ...podsOfWorkload(spec) };
    });
}

function podsOfWorkload({ progressDeadlineSeconds = 600, template }: Workload): Omit<Pods, 'owner'> {
  const { securityContext, ...spec } = template.spec;
  return {
    labels: template.metadata.labels,
    initContainers: spec.initContainers ?? [],
    containers: spec.containers,
    volumes: spec.volumes ?? [],
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 30,
    runAsNonRoot: securityContext?.runAsNonRoot === true,
    runAsUser: securityContext?.runAsUser,
    hasToken: spec.automountServiceAccountToken !== false,
    progressDeadlineSeconds,
  };
}

interface Recurring {
  jobTemplate: { spec: Workload };
}

export interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

export function isSelected(labels: Record<string, string>, selector: Selector): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(
      ({ key, operator, values = [] }) => operator === 'In' && values.includes(labels[key] ?? ''),
    )
  );
}
