import { readFileSync } from 'node:fs';
import { settings, version } from '../../packages/server/src/platform/config.ts';
import { argumentProblems } from './arguments.ts';
import { clusterProblems } from './cluster-rules.ts';
import { environmentProblems } from './environment.ts';
import { type Manifest, nameOf } from './kustomization.ts';
import { type Container, type Pods, podsOf } from './objects.ts';
import { referenceProblems } from './references.ts';

const imageUser = 10_001;
/** Time allowed for shutting down after the service's own time limits have passed, in seconds. */
const spareSeconds = 5;

/** Checks that manifests match the service and each other. No schema covers these rules. */
export async function ownProblems(manifests: readonly Manifest[]): Promise<string[]> {
  const problems = [...referenceProblems(manifests), ...clusterProblems(manifests)];
  for (const pods of podsOf(manifests)) {
    const found = [...podProblems(pods)];
    for (const container of [...pods.initContainers, ...pods.containers]) {
      found.push(...containerProblems(container));
      if (!isOurs(container)) continue;
      found.push(...environmentProblems(container, pods));
      found.push(...(await argumentProblems(container.name, container.args ?? [])));
    }
    problems.push(...found.map((problem) => `${nameOf(pods.owner)}: ${problem}`));
  }
  return problems;
}

function* podProblems(pods: Pods): Generator<string> {
  if (!pods.runAsNonRoot || pods.runAsUser !== imageUser) yield `must run as ${imageUser}, and not as root`;
  if (pods.hasToken) yield 'gets a Kubernetes token, which it does not need';
  const { kind, metadata } = pods.owner;
  if (kind === 'Job') {
    if (metadata.name !== `attribution-migrate-${version}`)
      yield `must be named attribution-migrate-${version}, because a Job cannot be changed`;
    return;
  }
  if (kind === 'CronJob') return;
  const [first] = pods.initContainers;
  const [command, option, seconds] = first?.args ?? [];
  if (command !== 'migrate' || option !== '--wait') yield 'does not wait for the schema before it starts';
  if (pods.progressDeadlineSeconds <= Number(seconds))
    yield 'has a progress deadline shorter than its wait for the schema';
  const secondsOf = (key: 'shutdownDelayMs' | 'shutdownTimeoutMs'): number => {
    const { name, fallback } = settings[key];
    const given = pods.containers[0]?.env?.find((each) => each.name === name)?.value;
    return Number(given ?? fallback);
  };
  const needed = secondsOf('shutdownDelayMs') + 2 * secondsOf('shutdownTimeoutMs') + spareSeconds;
  if (pods.terminationGracePeriodSeconds < needed)
    yield `is killed after ${pods.terminationGracePeriodSeconds} s, but may take ${needed} s to stop`;
  if (secondsOf('shutdownDelayMs') === 0)
    yield 'needs SHUTDOWN_DELAY_SECONDS: requests would arrive after it stops listening';
}

const isOurs = ({ image }: Container): boolean => /(^|\/)attribution:/.test(image);
/** Registries whose names are reserved and which therefore cannot exist (RFC 2606). */
const reservedRegistry = /^([\w-]+\.)*(invalid|example)\//;

function* containerProblems(container: Container): Generator<string> {
  const { name, image, securityContext, resources, ports = [], env = [] } = container;
  if (isOurs(container) && !image.endsWith(`/attribution:${version}`))
    yield `${name} runs ${image}, but the version is ${version}`;
  if (isOurs(container) && !reservedRegistry.test(image))
    yield `${name} runs ${image}, which a public registry could serve`;
  if (!isOurs(container) && !/\/postgresql:\d+/.test(image))
    yield `${name} runs ${image}, which is neither the service nor a version of PostgreSQL`;
  const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = securityContext ?? {};
  if (allowPrivilegeEscalation !== false || readOnlyRootFilesystem !== true)
    yield `${name} must not gain privileges or write to its image`;
  if (!capabilities?.drop?.includes('ALL')) yield `${name} must drop ALL capabilities`;
  if (resources?.limits?.memory === undefined || resources.requests?.cpu === undefined)
    yield `${name} must have a memory limit and a cpu request`;
  for (const [port, setting] of [
    ['http', 'PORT'],
    ['operations', 'OPERATIONS_PORT'],
  ] as const) {
    const listened = env.find((each) => each.name === setting)?.value;
    const opened = ports.find((each) => each.name === port)?.containerPort;
    if (listened !== undefined || opened !== undefined)
      if (Number(listened) !== opened)
        yield `${name} listens on ${setting}=${listened}, but ${port} is ${opened}`;
  }
  for (const kind of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
    const probe = container[kind]?.httpGet;
    if (container.args?.[0] === 'serve' && probe === undefined) yield `${name} has no ${kind}`;
    if (probe !== undefined && !routes.has(probe.path))
      yield `${name} is probed at ${probe.path}, which is not a route`;
    if (probe !== undefined && !ports.some((port) => port.name === probe.port))
      yield `${name} is probed at ${probe.port}, which is not one of its ports`;
  }
}

const routes = new Set(
  [
    ...readFileSync('packages/server/src/platform/http/operations-routes.ts', 'utf8').matchAll(
      /app\.get\(\s*'(\/\w+)'/g,
    ),
  ].map(([, path]) => path),
);
