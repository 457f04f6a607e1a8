import { adminRoutes } from './admin-api/routes.ts';
import { examples, webhooks } from './api-document.ts';
import { countRequests } from './api-keys/counted/count-requests.ts';
import type { CountedOperation } from './api-keys/counted/request-counts.ts';
import { reportIgnored } from './api-keys/ignored/report-ignored.ts';
import { collectRefused } from './api-keys/refused/collect-refused.ts';
import { provideContext, publisherOf } from './api-keys/request-context.ts';
import { requireKeys } from './api-keys/require-key.ts';
import { pingRoute } from './api-keys/routes.ts';
import { directCreate } from './attributions/record/create-directly-route.ts';
import { attributionRoutes } from './attributions/routes.ts';
import { transactionsPath } from './attributions/transaction-schema.ts';
import type { KeyPrincipal } from './audit/actor.ts';
import { bountyRoutes } from './bounties/routes.ts';
import type { Service } from './composition.ts';
import { orderRoute } from './connectors/orders/order-route.ts';
import { hookRoute } from './connectors/receive/hook-route.ts';
import { linkingRoutes } from './linking/routes.ts';
import { memberRoutes } from './members/routes.ts';
import type { Database } from './platform/database/database.ts';
import { cacheDiskUse } from './platform/database/disk-use.ts';
import { freeBytes } from './platform/database/embedded/disk-reserve.ts';
import { coveredUntil } from './platform/dated-ids.ts';
import type { App } from './platform/http/app-type.ts';
import type { TenantOf } from './platform/http/bodies/bound-bodies.ts';
import { allowPublicOrigins } from './platform/http/cors.ts';
import { createHttpApp, type HttpApp } from './platform/http/create-app.ts';
import { type DirectDeps, takeRequests } from './platform/http/direct/take-requests.ts';
import { healthRoutes, isReady, metricsRoute } from './platform/http/operations-routes.ts';
import { dashboardPages } from './platform/http/pages/dashboard-pages.ts';
import { apiReferenceRoutes } from './platform/http/reference/api-reference.ts';
import { describeApi } from './platform/http/reference/open-api.ts';
import { traceRequests } from './platform/http/trace-requests.ts';
import { type ReadMetrics, showSources } from './platform/telemetry/metrics.ts';
import { referralRoutes } from './player-codes/referral-routes.ts';
import { playerCodeRoutes } from './player-codes/routes.ts';
import { alertPage, portalPages } from './portal-api/portal-pages.ts';
import { portalRoutes } from './portal-api/routes.ts';
import { logoRoute } from './publishers/brand/logo-route.ts';
import { groupRoutes } from './publishers/routes.ts';
import { revenueShareRoutes } from './revenue-shares/routes.ts';
import { refundRoutes } from './settlement/refunds/refund-routes.ts';
import { refundSeveralRoute } from './settlement/refunds/refund-several-route.ts';
import { reinstatementRoute } from './settlement/reinstatements/reinstatement-route.ts';

export interface AppOptions {
  /** False for a process that only does background work and serves only health checks and metrics. */
  servesApi?: boolean;
  /**
   * Separate application for metrics and the reference. Null disables them. If absent, the main application
   * serves them.
   */
  operations?: App | null;
  /** Reads the metrics of several processes; those of this process if absent. */
  readMetrics?: ReadMetrics | undefined;
  /**
   * Aborted when the process is about to stop. The process still serves all requests, but reports that it is
   * not ready.
   */
  stopping?: AbortSignal;
  /** Called after the response to any request that may have written data. */
  onWrite?: () => void;
  /** Compares responses sent without the framework with the framework's own (platform/http/direct). */
  compareDirect?: DirectDeps['compare'] | undefined;
}

/** Builds the HTTP application. Closing it drains requests and stops the service but leaves the database open. */
export async function buildApp(service: Service, options: AppOptions = {}): Promise<App> {
  const { servesApi = true } = options;
  const opened = await openApp(service, options);
  const { app } = opened.http;
  const operations = options.operations === undefined ? app : options.operations;
  if (operations !== null) metricsRoute(operations, service.metrics, options.readMetrics);
  if (servesApi && operations !== null) apiReferenceRoutes(operations, () => app.swagger());
  if (servesApi) {
    await apiRoutes(app, service);
    createDirectly(service, opened, options);
    await adminRoutes(app, service);
    await portalRoutes(app, service);
    hookRoute(app, service);
    dashboardPages(app);
    portalPages(app, service.portal);
    alertPage(app, service.portal);
    logoRoute(app, service.database.db, service.clock);
  }
  await app.ready();
  return app;
}

async function apiRoutes(app: App, service: Service): Promise<void> {
  const { config, clock, metrics, programs, misses, recordQueue, operations } = service;
  const { db, lists } = service.database;
  pingRoute(app);
  groupRoutes(app, db);
  memberRoutes(app, { db, programs, misses });
  playerCodeRoutes(app, { db, clock, programs, misses });
  referralRoutes(app, { db, clock, programs, misses });
  orderRoute(app, { db, clock, programs });
  revenueShareRoutes(app, { db, clock, revShareOne: config.revShareOne });
  attributionRoutes(app, {
    db,
    lists,
    clock,
    programs,
    recordQueue,
    pages: await service.openPages(),
    reversePayment: operations.reversePayment,
    countStatus: operations.countStatus,
  });
  refundRoutes(app, { db, refundPurchase: operations.refundPurchase });
  refundSeveralRoute(app, { db, refundPurchase: operations.refundPurchase });
  reinstatementRoute(app, { db, reinstateRefund: operations.reinstateRefund });
  linkingRoutes(app, {
    db,
    clock,
    metrics,
    authCodeSecret: await service.openAuthCodeSecret(),
    sealer: service.sealer,
    linkAccount: operations.linkAccount,
    linkMissesPerMinute: config.linkMissesPerMinute,
    linkMissesPerMinutePerPlayer: config.linkMissesPerMinutePerPlayer,
  });
  bountyRoutes(app, { db, clock, programs, misses });
}

/**
 * Answers usual creates of one purchase without the framework. Not with a limit per key, because the framework's hook
 * counts the requests and adds the limit to each response.
 */
function createDirectly(
  { config, database, keys, log, metrics, programs, recordQueue, requestCounts }: Service,
  { http: { app, sockets, bodies }, counted }: OpenedApp,
  { onWrite, compareDirect }: AppOptions,
): void {
  if (config.requestsPerSecondPerKey > 0) return;
  const operation = [...counted].find(({ method, route }) => method === 'POST' && route === transactionsPath);
  if (operation === undefined) throw new Error('creates are not counted');
  const answered = (principal: KeyPrincipal): void => {
    requestCounts.note(principal, operation, 200, '');
    onWrite?.();
  };
  const { forPublisher } = database;
  takeRequests(app, directCreate({ keys, programs, recordQueue, forPublisher, answered }), {
    sockets,
    bodies,
    metrics,
    log,
    compare: compareDirect,
  });
}

/**
 * Returns the tenant whose share of memory a request uses. Requests of staff and creators that don't name a publisher
 * share the tenant ''.
 */
const tenantOf: TenantOf = (request) => {
  const { staff, portal } = request.routeOptions.config ?? {};
  return publisherOf(request) ?? (staff === undefined && portal === undefined ? null : '');
};

/** Disk use changes slowly. */
const diskUseEveryMs = 300_000;

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Adds the X-Data-Age header, an upper bound on the age of the data, to responses that were read from the
 * replica.
 */
function addDataAge(app: App, database: Database): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    const ageMs = database.dataAgeMs();
    if (ageMs !== null) reply.header('x-data-age', Math.ceil(ageMs / 1_000));
    done(null, payload);
  });
}

interface OpenedApp {
  readonly http: HttpApp;
  readonly counted: ReadonlySet<CountedOperation>;
}

/**
 * Creates the application with the hooks for all operations, outermost first, and with the health routes,
 * which don't need hooks.
 */
async function openApp(service: Service, { operations, stopping, onWrite }: AppOptions): Promise<OpenedApp> {
  const { config, database, clock, log, metrics, keys, programs, recordQueue } = service;
  const http = createHttpApp({
    log,
    requestTimeoutMs: config.requestTimeoutMs,
    answerTimeoutMs: config.answerTimeoutMs,
    sockets: config,
    metrics,
    tenantOf,
  });
  const { app, usage } = http;
  const { replica } = database;
  if (replica !== null) addDataAge(app, database);
  let isClosing = false;
  const health = {
    checkDatabase: database.checkReadiness,
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
    diskUse: cacheDiskUse(database.background, diskUseEveryMs),
    // Labels name publishers only on a separate port, because metrics on the API's port are public.
    namesPublishers: typeof config.operationsPort === 'number',
    coveredUntil,
    clock,
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
    isAuthenticated: ({ routeOptions: { config: route } }) =>
      route?.key !== undefined || route?.staff !== undefined || route?.portal !== undefined,
    // Public keys are shipped in games, where every player can read them, so their traces can't be trusted.
    trustsTrace: ({ keyPrincipal }) => keyPrincipal?.keyKind === 'secret',
    publisherOf,
  });
  const refused = collectRefused(app, {
    db: database.background,
    clock,
    metrics,
    onError: (error) => log.warn({ err: error }, "couldn't store rejected requests"),
  });
  app.addHook('preClose', refused.flush);
  app.addHook('preHandler', (request, _reply, done) => database.forPublisher(publisherOf(request), done));
  const counted = countRequests(app, service.requestCounts);
  reportIgnored(app, service.ignoredCounts);
  provideContext(app, programs);
  for (const each of operations ? [app, operations] : [app]) healthRoutes(each, health);
  return { http, counted };
}
