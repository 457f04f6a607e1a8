import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { parseDocument } from 'yaml';
import { settings, version } from '../packages/server/src/platform/config.ts';
import { copyToDocker, variants } from './image/build-image.ts';
import { argumentProblems } from './manifests/arguments.ts';
import { settingProblem } from './manifests/environment.ts';
import { serverSettingProblems } from './manifests/server-settings.ts';

/**
 * Checks `deploy/compose.yaml` against the Compose specification, the service, and the files that
 * `compose.yaml` references. No daemon is needed. If Compose is installed, it also validates the file
 * (docs/adr/0039-deployment.md).
 */
interface Service {
  image: string;
  pull_policy?: string;
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  networks?: string[];
  ports?: string[];
  volumes?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  cpus?: number;
  pids_limit?: number;
  stop_grace_period?: string;
  healthcheck?: { test?: string[]; disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
}

interface Compose {
  services: Record<string, Service>;
  networks: Record<string, unknown>;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
}

const path = 'deploy/compose.yaml';
/** JSON schema of the Compose specification, from a linter's package. */
const schema = 'node_modules/dclint/schemas/compose.schema.json';
const spareSeconds = 5;

const problems: string[] = [];
const compose = read();
const { services } = compose;
for (const [name, service] of Object.entries(services)) {
  const found = [...hardeningProblems(service), ...referenceProblems(service)];
  if (/(^|\/)attribution:/.test(service.image)) found.push(...(await ownProblems(service)));
  problems.push(...found.map((problem) => `${name} ${problem}`));
}
problems.push(
  ...secretProblems(),
  ...scrapeProblems(),
  ...poolProblems(),
  ...databaseProblems(),
  ...imageProblems(),
  ...composeProblems(),
);

if (problems.length > 0) {
  process.stderr.write(`${problems.map((problem) => `${path}: ${problem}`).join('\n')}\n`);
  process.exit(1);
}
process.stdout.write(`${Object.keys(services).length} services\n`);

function read(): Compose {
  const document = parseDocument(readFileSync(path, 'utf8'), { merge: true });
  const value = document.toJS() as Compose;
  const { $schema: _, ...specification } = JSON.parse(readFileSync(schema, 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.validate(specification, value);
  for (const { message } of [...document.errors, ...document.warnings]) problems.push(message);
  for (const { instancePath, message, params } of ajv.errors ?? [])
    problems.push(`${instancePath} ${message} ${JSON.stringify(params)}`);
  return value;
}

function* hardeningProblems(service: Service): Generator<string> {
  if (service.read_only !== true) yield 'has a writable root';
  if (!service.cap_drop?.includes('ALL')) yield 'does not drop all capabilities';
  if (!service.security_opt?.includes('no-new-privileges:true')) yield 'may gain privileges';
  if (!service.mem_limit || !service.cpus || !service.pids_limit)
    yield 'must have limits on memory, processors and processes';
  if (service.healthcheck === undefined) yield 'has no health check';
  if (/:latest$/.test(service.image) || !service.image.includes(':'))
    yield `runs ${service.image}, which has no version`;
  for (const port of service.ports ?? [])
    if (!port.startsWith('127.0.0.1:')) yield `is open to every network at ${port}`;
}

function* referenceProblems(service: Service): Generator<string> {
  for (const network of service.networks ?? [])
    if (!(network in compose.networks)) yield `uses the network ${network}, which does not exist`;
  for (const secret of service.secrets ?? [])
    if (!(secret in compose.secrets)) yield `uses the secret ${secret}, which does not exist`;
  for (const [variable, value] of Object.entries(service.environment ?? {}))
    if (/_FILE$/.test(variable) && !service.secrets?.some((secret) => value === `/run/secrets/${secret}`))
      yield `sets ${variable}=${value}, but does not use that secret`;
  for (const volume of service.volumes ?? []) {
    const [source = ''] = volume.split(':');
    if (source.startsWith('.') ? !existsSync(join(dirname(path), source)) : !(source in compose.volumes))
      yield `mounts ${source}, which does not exist`;
  }
  for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
    if (!(other in services)) yield `waits for ${other}, which does not exist`;
    if (condition === 'service_healthy' && services[other]?.healthcheck?.disable)
      yield `waits for the health of ${other}, whose health check is disabled`;
  }
}

async function ownProblems(service: Service): Promise<string[]> {
  const { image, pull_policy, command = [], environment = {}, healthcheck } = service;
  const { stop_grace_period = '10s' } = service;
  const found = await argumentProblems('it', command);
  if (image !== `attribution:${version}`) found.push(`runs ${image}, but the version is ${version}`);
  // Docker would pull a name without a host from its public registry.
  if (pull_policy !== 'never') found.push(`may pull ${image} from a public registry; set pull_policy: never`);
  for (const [variable, value] of Object.entries(environment)) {
    const problem = settingProblem(variable, withDefault(value));
    if (problem !== null) found.push(problem);
  }
  if (!('DATABASE_URL_FILE' in environment))
    found.push('would start an embedded database; set DATABASE_URL_FILE');
  if (command[0] !== 'serve') return found;
  const seconds = (key: 'shutdownDelayMs' | 'shutdownTimeoutMs'): number =>
    Number(environment[settings[key].name] ?? settings[key].fallback);
  const needed = seconds('shutdownDelayMs') + 2 * seconds('shutdownTimeoutMs') + spareSeconds;
  if (Number.parseInt(stop_grace_period, 10) < needed)
    found.push(`is killed after ${stop_grace_period}, but may take ${needed} s to stop`);
  const [kind, , ...checked] = healthcheck?.test ?? [];
  if (kind !== 'CMD') found.push('has a health check that needs a shell, which its image may not have');
  return [...found, ...(await argumentProblems('its health check', checked))];
}

/** Replaces `${NAME:-default}` with its default. */
function withDefault(value: string): string {
  return value.replace(/\$\{\w+:-([^}]*)\}/g, '$1');
}

/** Reports secrets that deploy/make-secrets.sh does not create, and created secrets that no service uses. */
function* secretProblems(): Generator<string> {
  const script = readFileSync('deploy/make-secrets.sh', 'utf8');
  const listed = /for name in ([\w ]+); do/.exec(script)?.[1]?.split(' ') ?? [];
  const made = [...script.matchAll(/\| keep (\w+)$/gm)].map(([, name = '']) => name);
  const all = new Set([...listed, ...made]);
  for (const [name, { file }] of Object.entries(compose.secrets)) {
    if (file !== `./secrets/${name}`) yield `the secret ${name} must be in ./secrets/${name}, not ${file}`;
    if (!all.has(name)) yield `deploy/make-secrets.sh does not create ${name}`;
  }
  for (const name of all)
    if (!(name in compose.secrets)) yield `deploy/make-secrets.sh creates ${name}, which no service uses`;
}

/** Reports processes that Prometheus does not scrape, or scrapes on the wrong port. */
function* scrapeProblems(): Generator<string> {
  const targets = [...readFileSync('deploy/compose/prometheus.yaml', 'utf8').matchAll(/'([\w-]+):(\d+)'/g)];
  for (const [, name = '', port] of targets)
    if (services[name]?.environment?.OPERATIONS_PORT !== port)
      yield `Prometheus scrapes ${name}:${port}, which serves no metrics`;
  for (const [name, { environment }] of Object.entries(services))
    if (environment?.OPERATIONS_PORT && !targets.some(([, target]) => target === name))
      yield `Prometheus does not scrape ${name}`;
}

/** Reports a wrong PgBouncer port, and a pool larger than PostgreSQL's connection limit allows. */
function* poolProblems(): Generator<string> {
  const settingsOfPool = readFileSync('deploy/compose/pgbouncer.ini', 'utf8');
  const number = (name: string): number =>
    Number(new RegExp(`^${name} = (\\d+)$`, 'm').exec(settingsOfPool)?.[1]);
  const port = /@pgbouncer:(\d+)\//.exec(readFileSync('deploy/make-secrets.sh', 'utf8'))?.[1];
  if (number('listen_port') !== Number(port))
    yield `PgBouncer listens on ${number('listen_port')}, but the processes connect to ${port}`;
  const max = Number(/max_connections=(\d+)/.exec(services.postgresql?.command?.join(' ') ?? '')?.[1]);
  if (!(number('default_pool_size') + 20 <= max))
    yield `PostgreSQL accepts ${max} connections, too few for PgBouncer`;
}

/** Reports PostgreSQL settings that differ from the documented settings. */
function databaseProblems(): Generator<string> {
  const { command = [], mem_limit } = services.postgresql ?? {};
  return serverSettingProblems(
    Object.fromEntries(command.filter((word) => word.includes('=')).map((word) => word.split('='))),
    mem_limit,
  );
}

/** Checks that the guide contains the command that copies the image to Docker. */
function* imageProblems(): Generator<string> {
  const [alone] = variants;
  const page = 'docs/deploying.md';
  if (alone === undefined || !readFileSync(page, 'utf8').includes(`\n${copyToDocker(alone)}`))
    yield `${page} does not have the command that copies the image to Docker`;
}

function composeProblems(): string[] {
  const { status, stderr, error } = spawnSync('docker-compose', ['-f', path, 'config', '-q'], {
    encoding: 'utf8',
  });
  return error || status === 0 ? [] : [stderr.trim()];
}
