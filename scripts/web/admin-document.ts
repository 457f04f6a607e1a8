import { adminRoutes } from '../../packages/server/src/admin-api/routes.ts';
import { composeService } from '../../packages/server/src/composition.ts';
import { systemClock } from '../../packages/server/src/platform/clock.ts';
import { readConfig } from '../../packages/server/src/platform/config.ts';
import { openDatabase } from '../../packages/server/src/platform/database/database.ts';
import { createHttpApp } from '../../packages/server/src/platform/http/create-app.ts';
import { Pages } from '../../packages/server/src/platform/page.ts';
import { createSealer } from '../../packages/server/src/platform/secrets/sealer.ts';
import { createLog } from '../../packages/server/src/platform/telemetry/log.ts';
import { createMetrics } from '../../packages/server/src/platform/telemetry/metrics.ts';

/** Generates the admin API's OpenAPI document from its routes. No database is needed. */
export async function adminDocument(): Promise<object> {
  const config = readConfig({});
  const metrics = createMetrics();
  const log = createLog('silent', systemClock, () => undefined);
  const database = openDatabase({
    connection: { host: '/nowhere' },
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'document',
  });
  const service = {
    ...composeService({
      config,
      database,
      sealer: createSealer([Buffer.alloc(32)]),
      clock: systemClock,
      log,
      metrics,
    }),
    openPages: async () => new Pages(Buffer.alloc(32)),
    openAuthCodeSecret: async () => Buffer.alloc(32),
  };
  const { requestTimeoutMs, answerTimeoutMs } = config;
  const { app } = createHttpApp({
    log,
    requestTimeoutMs,
    answerTimeoutMs,
    sockets: config,
    metrics,
    tenantOf: () => null,
  });
  await adminRoutes(app, service);
  await app.ready();
  const document = app.adminDocument();
  await app.close();
  await service.stop();
  await database.close();
  return document;
}
