import { systemClock } from '../src/platform/clock.ts';
import { readConfig } from '../src/platform/config.ts';
import type { App } from '../src/platform/http/app-type.ts';
import { createHttpApp } from '../src/platform/http/create-app.ts';
import { createLog } from '../src/platform/telemetry/log.ts';
import { createMetrics } from '../src/platform/telemetry/metrics.ts';

/** Creates an app without a database, for the pages that `add` adds. */
export function pagesApp(add: (app: App) => void): App {
  const config = readConfig({});
  const { app } = createHttpApp({
    log: createLog('silent', systemClock, () => undefined),
    requestTimeoutMs: config.requestTimeoutMs,
    answerTimeoutMs: config.answerTimeoutMs,
    sockets: config,
    metrics: createMetrics(),
    tenantOf: () => null,
  });
  add(app);
  return app;
}
