import { examples, webhooks } from './api-document.ts';
import { LookUpMisses } from './api-keys/look-up-misses.ts';
import { provideContext } from './api-keys/request-context.ts';
import { requireKeys } from './api-keys/require-key.ts';
import { pingRoute } from './api-keys/routes.ts';
import { createKeyVerifier } from './api-keys/verify-key.ts';
import { RecordQueue } from './attributions/record/record-queue.ts';
import { attributionRoutes } from './attributions/routes.ts';
import { bountyRoutes } from './bounties/routes.ts';
import { composeOperations } from './composition.ts';
import { authCodeSecret } from './linking/issue-auth-code.ts';
import { linkingRoutes } from './linking/routes.ts';
import { memberRoutes } from './members/routes.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { Database } from './platform/database/database.ts';
import type { App } from './platform/http/app-type.ts';
import { allowPublicOrigins } from './platform/http/cors.ts';
import { createHttpApp } from './platform/http/create-app.ts';
import { healthRoutes, metricsRoute } from './platform/http/operations-routes.ts';
import { apiReferenceRoutes } from './platform/http/reference/api-reference.ts';
import { describeApi } from './platform/http/reference/open-api.ts';
import { joinConfirmations } from './platform/join-confirmations.ts';
import { openPages } from './platform/page.ts';
import type { Sealer } from './platform/secrets/sealer.ts';
import type { Log } from './platform/telemetry/log.ts';
import { type Metrics, showSources } from './platform/telemetry/metrics.ts';
import { createProgrammes } from './publishers/programmes.ts';
import { groupRoutes } from './publishers/routes.ts';
import { revenueShareRoutes } from './revenue-shares/routes.ts';

export interface AppDeps {
  config: Config;
  database: Database;
  sealer: Sealer;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** Whether it answers the API, or health and metrics alone, as a process that only works does. */
  servesApi?: boolean;
  /** Where metrics and the reference are served: on an application of their own, or nowhere; beside the API when absent. */
  operations?: App | null;
  /** Aborted when the process is about to stop, and answers everything as before but for its readiness. */
  stopping?: AbortSignal;
  /** Called when a request was answered that may have written something. */
  onWrite?: () => void;
}

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The whole HTTP application, slice by slice. Closing it drains requests; the database stays open. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, database, sealer, clock, log, metrics, servesApi = true, onWrite } = deps;
  const { db, lookups, recording, recordingDb } = database;
  const confirm = joinConfirmations(lookups);
  const programmes = createProgrammes(lookups, confirm).start();
  const keys = createKeyVerifier(lookups, clock, confirm);
  let isStopping = false;

  const recordQueue = new RecordQueue({
    lookups,
    pool: recording,
    transactions: recordingDb,
    programmes,
    metrics,
    lanes: config.recordLanes,
    maxQueuedRows: config.recordQueueRows,
    preparedStatements: config.databasePreparedStatements,
  });
  const { app, usage } = createHttpApp({
    log,
    requestTimeoutMs: config.requestTimeoutMs,
    answerTimeoutMs: config.answerTimeoutMs,
    sockets: config,
    metrics,
    holderOf: (request) => request.keyPrincipal?.publisherId ?? null,
  });
  showSources(metrics, { queuedRows: () => recordQueue.queuedRows, poolUsage: database.usage, ...usage });
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onClose', async () => {
    await recordQueue.drained();
    keys.stop();
    programmes.stop();
  });
  if (onWrite !== undefined)
    app.addHook('onResponse', async ({ method }) => {
      if (!readingMethods.has(method)) onWrite();
    });
  allowPublicOrigins(app);
  await describeApi(app, { examples, webhooks });
  requireKeys(app, keys, config, metrics, clock);
  app.addHook('preHandler', (request, _reply, done) =>
    database.forPublisher(request.keyPrincipal?.publisherId ?? null, done),
  );

  provideContext(app, programmes);

  const health = {
    askDatabase: database.askReadiness,
    isStopping: () => isStopping || deps.stopping?.aborted === true,
  };
  healthRoutes(app, health);
  const apart = deps.operations;
  if (apart !== undefined && apart !== null) healthRoutes(apart, health);
  const shown = apart === undefined ? app : apart;
  if (shown !== null) metricsRoute(shown, metrics);
  if (!servesApi) {
    await app.ready();
    return app;
  }
  if (shown !== null) apiReferenceRoutes(shown, () => app.swagger());
  pingRoute(app);
  groupRoutes(app, db);
  const operations = composeOperations(clock);
  const misses = new LookUpMisses(config.codeMissesPerMinute, clock, metrics);
  memberRoutes(app, { db, programmes, misses });
  revenueShareRoutes(app, { db, clock, revShareOne: config.revShareOne });
  attributionRoutes(app, {
    db,
    recordQueue,
    pages: await openPages(db, sealer),
    reversePayment: operations.reversePayment,
  });
  linkingRoutes(app, {
    db,
    clock,
    metrics,
    authCodeSecret: await authCodeSecret(db, sealer),
    linkAccount: operations.linkAccount,
    linkMissesPerMinute: config.linkMissesPerMinute,
    linkMissesPerMinutePerPlayer: config.linkMissesPerMinutePerPlayer,
  });
  bountyRoutes(app, { db, clock, programmes, misses });
  await app.ready();
  return app;
}
