import { Type } from 'typebox';
import { unavailable } from '../refusal.ts';
import type { Metrics, ReadMetrics } from '../telemetry/metrics.ts';
import { sendJson } from './answers/error-answers.ts';
import type { App } from './app-type.ts';

export interface Health {
  /** Resolves when the database responds and accepts writes. */
  checkDatabase(): Promise<unknown>;
  isStopping(): boolean;
  /**
   * Returns the state of the read replica, or null if there is none. Readiness doesn't depend on the replica,
   * since reads can use the primary.
   */
  replicaState?: (() => string | null) | undefined;
}

const readyTimeoutMs = 2_000;

const schema = (summary: string) => ({ hide: true, summary, response: { 200: Type.Unknown() } });

export function healthRoutes(app: App, health: Health): void {
  app.get('/healthz', { schema: schema('The process is alive.') }, (_request, reply) =>
    sendJson(reply, { status: 'ok' }),
  );

  app.get(
    '/readyz',
    { schema: schema('The process is ready: its database responds.') },
    async (_request, reply) => {
      await requireReady(health);
      const replica = health.replicaState?.() ?? null;
      return sendJson(reply, { status: 'ready', ...(replica !== null && { replica }) });
    },
  );
}

/** @throws Refusal Unavailable, or the error of the database */
async function requireReady(health: Health): Promise<void> {
  if (health.isStopping()) throw unavailable('The process is stopping.');
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable('The database is not responding.')), readyTimeoutMs);
  });
  try {
    await Promise.race([health.checkDatabase(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the state that `/readyz` reports, for use in the metrics. */
export const isReady = (health: Health): Promise<boolean> =>
  requireReady(health).then(
    () => true,
    () => false,
  );

/** @param read reads the metrics of all processes; those of this process if absent */
export function metricsRoute(
  app: App,
  { registry }: Metrics,
  read: ReadMetrics = () => registry.metrics(),
): void {
  app.get('/metrics', { schema: schema('Prometheus metrics.') }, async (_request, reply) =>
    reply.type(registry.contentType).send(await read()),
  );
}
