import { composeService, type Service } from '../src/composition.ts';
import { type Clock, systemClock } from '../src/platform/clock.ts';
import { readConfig } from '../src/platform/config.ts';
import type { Database } from '../src/platform/database/database.ts';
import { createLog } from '../src/platform/telemetry/log.ts';
import { createMetrics } from '../src/platform/telemetry/metrics.ts';
import type { ProviderUrls } from '../src/portal/providers/open-providers.ts';
import { testSealer } from './sealer.ts';

export interface ComposeOptions {
  environment?: Record<string, string>;
  clock?: Clock;
  logLevel?: string;
  /** Receives log lines. If absent, nothing is logged. */
  log?: string[] | undefined;
  /** URLs of the providers that creators sign in with. */
  providerUrls?: ProviderUrls | undefined;
}

/** Composes the service as `serve` does, on the test's database. */
export const composeTestService = (
  database: Database,
  { environment = {}, clock = systemClock, logLevel = 'debug', log, providerUrls }: ComposeOptions = {},
): Service =>
  composeService({
    config: readConfig({ LOG_LEVEL: 'silent', ...environment }),
    database,
    sealer: testSealer,
    clock,
    log: createLog(log === undefined ? 'silent' : logLevel, clock, (line) => void log?.push(line)),
    metrics: createMetrics(),
    providerUrls,
  });
