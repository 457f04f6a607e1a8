import { adminRoutes } from './admin-api/routes.ts';
import { examples, webhooks } from './api-document.ts';
import { reportIgnored } from './api-keys/ignored/report-ignored.ts';
import { collectRefused } from './api-keys/refused/collect-refused.ts';
import { provideContext, publisherOf } from './api-keys/request-context.ts';
import { requireKeys } from './api-keys/require-key.ts';
import { pingRoute } from './api-keys/routes.ts';
import { attributionRoutes } from './attributions/routes.ts';
import { bountyRoutes } from './bounties/routes.ts';
import type { Service } from './composition.ts';
import { linkingRoutes } from './linking/routes.ts';
import { memberRoutes } from './members/routes.ts';
import type { Database } from './platform/database/database.ts';
import { keepDiskUse } from './platform/database/disk-use.ts';
import { freeBytes } from './platform/database/embedded/disk-reserve.ts';
import { coveredUntil } from './platform/dated-ids.ts';
import type { App } from './platform/http/app-type.ts';
import type { HolderOf } from './platform/http/bodies/bound-bodies.ts';
import { allowPublicOrigins } from './platform/http/cors.ts';
import { createHttpApp } from './platform/http/create-app.ts';
import { healthRoutes, isReady, metricsRoute } from './platform/http/operations-routes.ts';
import { dashboardPages } from './platform/http/pages/dashboard-pages.ts';
import { apiReferenceRoutes } from './platform/http/reference/api-reference.ts';
import { describeApi } from './platform/http/reference/open-api.ts';
import { traceRequests } from './platform/http/trace-requests.ts';
import { showSources, showStored } from './platform/telemetry/metrics.ts';
import { groupRoutes } from './publishers/routes.ts';
import { revenueShareRoutes } from './revenue-shares/routes.ts';

/** How a process is asked. */
export interface Door {
  /** Whether it answers the API, or health and metrics alone, as a process that only works does. */
  servesApi?: boolean;
  /** Where metrics and the reference are served: on an application of their own, or nowhere; beside the API when absent. */
  operations?: App | null;
  /** Aborted when the process is about to stop, and answers everything as before but for its readiness. */
  stopping?: AbortSignal;
  /** Called when a request was answered that may have written something. */
  onWrite?: () => void;
}

/** The whole HTTP application. Closing it drains requests and stops the service; the database stays open. */
export async function buildApp(service: Service, door: Door = {}): Promise<App> {
  const { servesApi = true } = door;
  const app = await openApp(service, door);
  const shown = door.operations === undefined ? app : door.operations;
  if (shown !== null) metricsRoute(shown, service.metrics);
  if (servesApi && shown !== null) apiReferenceRoutes(shown, () => app.swagger());
  if (servesApi) {
    await apiRoutes(app, service);
    await adminRoutes(app, service);
    dashboardPages(app);
  }
  await app.ready();
  return app;
}

/** Every room's operations of the publisher's API. */
async function apiRoutes(app: App, service: Service): Promise<void> {
  const { config, clock, metrics, programs, misses, recordQueue, operations } = service;
  const { db, lists } = service.database;
  pingRoute(app);
  groupRoutes(app, db);
  memberRoutes(app, { db, programs, misses });
  revenueShareRoutes(app, { db, clock, revShareOne: config.revShareOne });
  attributionRoutes(app, {
    db,
    lists,
    recordQueue,
    pages: await service.openPages(),
    reversePayment: operations.reversePayment,
    countStatus: operations.countStatus,
  });
  linkingRoutes(app, {
    db,
    clock,
    metrics,
    authCodeSecret: await service.openAuthCodeSecret(),
    linkAccount: operations.linkAccount,
    linkMissesPerMinute: config.linkMissesPerMinute,
    linkMissesPerMinutePerPlayer: config.linkMissesPerMinutePerPlayer,
  });
  bountyRoutes(app, { db, clock, programs, misses });
}

/** Whose the memory is that a request takes; people who sign in, or have signed in and name no publisher, have a share together. */
const holderOf: HolderOf = (request) =>
  publisherOf(request) ?? (request.routeOptions.config?.staff === undefined ? null : '');

/** Sizes change slowly. */
const diskUseEveryMs = 300_000;

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Who is answered from the replica learns how old that is, at most. */
function tellAge(app: App, database: Database): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    const ageMs = database.dataAgeMs();
    if (ageMs !== null) reply.header('x-data-age', Math.ceil(ageMs / 1_000));
    done(null, payload);
  });
}

/** What stands before every operation, outermost first, and health, which asks for none of it. */
async function openApp(service: Service, { operations, stopping, onWrite }: Door): Promise<App> {
  const { config, database, clock, log, metrics, keys, programs, recordQueue } = service;
  const { app, usage } = createHttpApp({
    log,
    requestTimeoutMs: config.requestTimeoutMs,
    answerTimeoutMs: config.answerTimeoutMs,
    sockets: config,
    metrics,
    holderOf,
  });
  const { replica } = database;
  showStored(
    metrics,
    {
      diskUse: keepDiskUse(database.background, diskUseEveryMs),
      // Beside the API anybody may read it.
      namesPublishers: typeof config.operationsPort === 'number',
      coveredUntil,
    },
    clock,
  );
  if (replica !== null) tellAge(app, database);
  let isClosing = false;
  const health = {
    askDatabase: database.askReadiness,
    isStopping: () => isClosing || stopping?.aborted === true,
    replicaState: () => replica?.state() ?? null,
  };
  showSources(metrics, {
    queuedRows: () => recordQueue.queuedRows,
    poolUsage: database.usage,
    replica,
    ...usage,
    isReady: () => isReady(health),
    freeBytes: () => (config.databaseUrl === null ? freeBytes(config.dataDir) : null),
  });
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onClose', service.stop);
  if (onWrite !== undefined)
    app.addHook('onResponse', ({ method }, _reply, done) => {
      if (!readingMethods.has(method)) onWrite();
      done();
    });
  allowPublicOrigins(app);
  await describeApi(app, { examples, webhooks });
  requireKeys(app, { verifier: keys, limits: config, metrics, clock });
  traceRequests(app, {
    isOfSomebody: ({ routeOptions: { config: asked } }) =>
      asked?.key !== undefined || asked?.staff !== undefined,
    // Public keys are in every player's game.
    believes: ({ keyPrincipal }) => keyPrincipal?.keyKind === 'secret',
    publisherOf,
  });
  const refused = collectRefused(app, {
    db: database.background,
    clock,
    metrics,
    onError: (error) => log.warn({ err: error }, 'refused requests could not be written down'),
  });
  app.addHook('preClose', refused.flush);
  app.addHook('preHandler', (request, _reply, done) => database.forPublisher(publisherOf(request), done));
  reportIgnored(app, service.ignoredCounts);
  provideContext(app, programs);
  for (const each of operations ? [app, operations] : [app]) healthRoutes(each, health);
  return app;
}
