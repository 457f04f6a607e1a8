import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from '../../app.ts';
import { composeService } from '../../composition.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Config, version } from '../../platform/config.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { keepDays } from '../../platform/database/days/keep-days.ts';
import { hasCitus } from '../../platform/database/has-citus.ts';
import { prepareDatabase } from '../../platform/database/schema/prepare-database.ts';
import { requireSchema } from '../../platform/database/schema/require-schema.ts';
import type { App } from '../../platform/http/app-type.ts';
import { builtPages, isBuilt } from '../../platform/http/pages/serve-page.ts';
import { checkSecretsKey, describeKey } from '../../platform/secrets/check-secrets-key.ts';
import { requireKey } from '../../platform/secrets/sealer.ts';
import { createLog } from '../../platform/telemetry/log.ts';
import { createMetrics } from '../../platform/telemetry/metrics.ts';
import { startTracing } from '../../platform/telemetry/start-tracing.ts';
import type { IssuedKey } from '../../program-file/apply-program.ts';
import { startWorkers, type Workers } from '../../worker.ts';
import { type Installation, startInstallation } from '../installation/open-installation.ts';
import { reachReplica } from '../installation/reach-replica.ts';
import { sealPlainSecrets } from '../installation/seal-plain-secrets.ts';
import { printable } from '../print/printable.ts';
import { dashboardLine, dashboardLink } from './dashboard-link.ts';
import { openDemo, playDemo } from './demo.ts';
import { demoPortal, portalLine } from './demo-portal.ts';
import { apiAddress, createOperationsApp, listenAt, operationsAddress } from './listen-at.ts';
import type { Role } from './roles.ts';
import { recordServedOrigin } from './served-origin.ts';

interface Run {
  readonly role: Role;
  readonly print: (line: string) => void;
  /** Warnings issued before the log was created. */
  readonly warnings: readonly string[];
}

/** Runs the service until SIGTERM or Ctrl-C, and then finishes pending requests. */
export async function runService(config: Config, { role, print, warnings }: Run): Promise<void> {
  const stopRequested = new Promise<NodeJS.Signals>((resolve) => {
    // The handlers stay registered, so that a second signal, which npm may send, doesn't cut
    // the shutdown short.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(signal));
  });
  // The service must keep running when the reader of its output closes the pipe (`npm start | head`).
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

  const log = createLog(config.logLevel, systemClock, (line) => void process.stderr.write(printable(line)));
  for (const warning of warnings) log.warn(warning);
  const tracing = await startTracing(config, log);
  const installation = await startInstallation(config, {
    onChange: (message) => log.warn(message),
    keepsReserve: true,
  });
  let forgetOrigin = (): void => undefined;
  try {
    const { sealer } = installation;
    requireKey(sealer);
    const keyOfEmbedded = await prepareSchema(installation, (message) => log.warn(message));
    const replica = await reachReplica(config, installation.connection, (message) => log.warn(message));
    const database = openDatabase({
      connection: installation.connection,
      poolSize: config.databasePoolSize,
      recordLanes: config.recordLanes,
      applicationName: 'attribution',
      replica,
      onIdleError: (error) => log.warn(`a database connection was lost: ${error.message}`),
    });
    const days = await keepDays(database.background, (message) => log.warn(message));
    try {
      const newKey = keyOfEmbedded ?? (await checkSecretsKey(database.db, sealer));
      if (newKey !== null && config.secretsKeys.length > 0) print(describeKey(newKey));
      const demo = installation.isEmbedded ? await openDemo(config.dataDir, database.db) : null;
      const demoOfPortal = demoPortal({ config, role, isDemo: demo !== null, print });
      const metrics = createMetrics();
      let workers: Workers | null = null;
      const operations = createOperationsApp(config, { log, metrics });
      const stopping = new AbortController();
      const service = composeService({
        ...{ database, sealer, metrics, log, clock: systemClock },
        config: demoOfPortal?.config ?? config,
        sendDemoMail: demoOfPortal?.sendMail,
      });
      const app = await buildApp(service, {
        stopping: stopping.signal,
        ...(operations !== undefined && { operations }),
        servesApi: role !== 'worker',
        onWrite: () => workers?.wake(),
      });
      if (demo?.isNew) await playDemo(app, service, demo);
      const address = await listenAt(app, apiAddress(config));
      const separate = operationsAddress(config);
      const shownAt =
        operations && separate !== null ? await listenAt(operations, separate).catch(closing(app)) : null;
      if (role !== 'api') workers = startWorkers(service, await hasCitus(database.background));
      const origin = config.publicUrl ?? `http://localhost:${new URL(address).port}`;
      if (installation.isEmbedded && role !== 'worker') forgetOrigin = recordServedOrigin(config, origin);
      greet(print, {
        dashboard: demo === null ? `${origin}/sign-in` : await dashboardLink(database.db, 'aurora', origin),
        portal: demoOfPortal && (await portalLine(database.db, demoOfPortal.url)),
        role,
        address,
        shownAt,
        config,
        isEmbedded: installation.isEmbedded,
        demoKeys: demo?.keys ?? null,
      });
      await stopRequested;
      stopping.abort();
      if (config.shutdownDelayMs > 0) {
        print(`Stopping: /readyz now returns 503; serving for another ${config.shutdownDelayMs / 1_000} s …`);
        await sleep(config.shutdownDelayMs, undefined, { ref: false });
      }
      print('Stopping: finishing pending requests …');
      await closeInTime(Promise.all([app.close(), workers?.stop()]), config.shutdownTimeoutMs);
      app.server.closeAllConnections(); // including clients that are still sending
      operations?.server.closeAllConnections();
      await operations?.close();
    } finally {
      await days.stop();
      await closeInTime(database.close(), config.shutdownTimeoutMs);
    }
  } finally {
    forgetOrigin();
    await installation.close();
    await tracing?.stop();
  }
  print('Stopped.');
}

/**
 * Migrates an embedded database, and checks the schema. External databases are migrated by `attribution migrate`.
 * @returns the result of `sealPlainSecrets`
 */
async function prepareSchema(
  installation: Installation,
  warn: (message: string) => void,
): Promise<string | null> {
  let newKey: string | null = null;
  if (installation.isEmbedded) {
    await prepareDatabase(installation, { onWait: warn });
    newKey = await sealPlainSecrets(installation);
  }
  for (const message of await requireSchema(installation.connection)) warn(message);
  return newKey;
}

interface Greeting {
  role: Role;
  /** Link to the dashboard; an invitation in the demo. */
  dashboard: string;
  /** Line about the demo's portal; null if it is off. */
  portal: string | null;
  address: string;
  shownAt: string | null;
  config: Config;
  isEmbedded: boolean;
  demoKeys: IssuedKey[] | null;
}

function greet(
  print: (line: string) => void,
  { role, dashboard, portal, address, shownAt, config, isEmbedded, demoKeys }: Greeting,
): void {
  const url = reachable(address);
  const shown = shownAt === null ? (config.operationsPort === 'off' ? null : url) : reachable(shownAt);
  if (role === 'worker') {
    print(
      `attribution ${version} posts purchases and delivers webhooks; it listens on ${url} only for health and metrics`,
    );
    if (shownAt !== null) print(`Metrics: ${shown}/metrics`);
    return;
  }
  print(
    `attribution ${version} listens on ${url}${shown === null ? '' : `  (API reference: ${shown}/docs)`}`,
  );
  if (role === 'api') print('Processes with --role worker post purchases and deliver webhooks.');
  if (isEmbedded) print(`The database is embedded, in ${config.dataDir}`);
  print(dashboardLine(dashboard));
  if (portal !== null && isBuilt(builtPages)) print(portal);
  const secret = demoKeys?.find(({ kind }) => kind === 'secret');
  if (demoKeys === null || secret === undefined) return;
  print('\nDemo keys:');
  for (const { name, kind, group, key } of demoKeys) {
    print(`  ${`${name} (${kind}${group === undefined ? '' : `, group ${group}`})`.padEnd(26)} ${key}`);
  }
  print(`\nRecord a Test purchase, which is never paid:\n
curl -sS ${url}/v1/attributions/transactions \\
  -H 'X-SHARED-SECRET: ${secret.key}' -H 'Content-Type: application/json' \\
  -d '{"transactionId":"demo-'$(date +%s)'","code":"ALICE","description":"Battle pass","subtotal":999,"currency":"USD","status":"Test","transactionDate":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'"}'
\nCtrl-C stops everything.`);
}

const reachable = (address: string): string =>
  address.replace('0.0.0.0', '127.0.0.1').replace('[::]', '127.0.0.1');

/** Closes an application if the other application couldn't start listening. */
const closing =
  (app: App) =>
  async (error: unknown): Promise<never> => {
    await app.close();
    throw error;
  };

async function closeInTime(closing: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    closing,
    new Promise((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    }),
  ]);
  clearTimeout(timer);
}
