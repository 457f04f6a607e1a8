import { readFileSync } from 'node:fs';
import { settings, version } from '../../packages/server/src/platform/config.ts';
import { argumentProblems } from './arguments.ts';
import { clusterProblems } from './cluster-rules.ts';
import { environmentProblems } from './environment.ts';
import { type Manifest, nameOf } from './kustomization.ts';
import { type Container, type Pods, podsOf } from './objects.ts';
import { referenceProblems } from './references.ts';

const imageUser = 10_001;
/** Closing what is left takes a moment after the program's own limits. */
const spareSeconds = 5;

/** What no schema knows: that manifests fit this program, and each other. */
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
  if (pods.hasToken) yield 'gets a token of Kubernetes, and asks it for nothing';
  const { kind, metadata } = pods.owner;
  if (kind === 'Job') {
    if (metadata.name !== `attribution-migrate-${version}`)
      yield `must be called attribution-migrate-${version}, as a Job cannot be changed`;
    return;
  }
  if (kind === 'CronJob') return;
  const [first] = pods.initContainers;
  const [command, option, seconds] = first?.args ?? [];
  if (command !== 'migrate' || option !== '--wait') yield 'does not wait for the schema before it starts';
  if (pods.progressDeadlineSeconds <= Number(seconds))
    yield 'is given up before it has waited for the schema';
  const secondsOf = (key: 'shutdownDelayMs' | 'shutdownTimeoutMs'): number => {
    const { name, fallback } = settings[key];
    const given = pods.containers[0]?.env?.find((each) => each.name === name)?.value;
    return Number(given ?? fallback);
  };
  const needed = secondsOf('shutdownDelayMs') + 2 * secondsOf('shutdownTimeoutMs') + spareSeconds;
  if (pods.terminationGracePeriodSeconds < needed)
    yield `is killed after ${pods.terminationGracePeriodSeconds} s, and may take ${needed} s to stop`;
  if (secondsOf('shutdownDelayMs') === 0)
    yield 'has no SHUTDOWN_DELAY_SECONDS: requests come after it listens';
}

const isOurs = ({ image }: Container): boolean => /(^|\/)attribution:/.test(image);
/** Names that the standard of the Internet's names keeps from being anybody's (RFC 2606). */
const nobodysRegistry = /^([\w-]+\.)*(invalid|example)\//;

function* containerProblems(container: Container): Generator<string> {
  const { name, image, securityContext, resources, ports = [], env = [] } = container;
  if (isOurs(container) && !image.endsWith(`/attribution:${version}`))
    yield `${name} runs ${image}, and this is ${version}`;
  if (isOurs(container) && !nobodysRegistry.test(image))
    yield `${name} runs ${image}, which a public registry could serve`;
  if (!isOurs(container) && !/\/postgresql:\d+/.test(image))
    yield `${name} runs ${image}, which is neither this program nor a version of PostgreSQL`;
  const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = securityContext ?? {};
  if (allowPrivilegeEscalation !== false || readOnlyRootFilesystem !== true)
    yield `${name} must not gain privileges, nor write to its image`;
  if (!capabilities?.drop?.includes('ALL')) yield `${name} must drop ALL capabilities`;
  if (resources?.limits?.memory === undefined || resources.requests?.cpu === undefined)
    yield `${name} says not what it needs: a limit of memory, a request of cpu`;
  for (const [port, setting] of [
    ['http', 'PORT'],
    ['operations', 'OPERATIONS_PORT'],
  ] as const) {
    const listened = env.find((each) => each.name === setting)?.value;
    const opened = ports.find((each) => each.name === port)?.containerPort;
    if (listened !== undefined || opened !== undefined)
      if (Number(listened) !== opened)
        yield `${name} listens on ${setting}=${listened}, and ${port} is ${opened}`;
  }
  for (const kind of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
    const probe = container[kind]?.httpGet;
    if (container.args?.[0] === 'serve' && probe === undefined) yield `${name} has no ${kind}`;
    if (probe !== undefined && !routes.has(probe.path))
      yield `${name} is probed at ${probe.path}, which is no route`;
    if (probe !== undefined && !ports.some((port) => port.name === probe.port))
      yield `${name} is probed at ${probe.port}, which is no port of it`;
  }
}

const routes = new Set(
  [
    ...readFileSync('packages/server/src/platform/http/operations-routes.ts', 'utf8').matchAll(
      /app\.get\(\s*'(\/\w+)'/g,
    ),
  ].map(([, path]) => path),
);
