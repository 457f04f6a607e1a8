import { systemClock } from '../../platform/clock.ts';
import { createMetrics } from '../../platform/telemetry/metrics.ts';
import { playDemo } from './demo.ts';
import type { Prepared } from './prepare.ts';
import type { Role } from './roles.ts';
import { type Serving, startServing } from './serving.ts';

/** Serves requests and does background work in this process. */
export function serveAlone(
  { config, log, database, sealer, demo, portal }: Prepared,
  { role }: { role: Role },
): Promise<Serving> {
  return startServing({
    foundation: {
      ...{ config, database, sealer, log, metrics: createMetrics(), clock: systemClock },
      sendDemoMail: portal?.sendMail,
    },
    role,
    prepare: async (app, service) => {
      if (demo?.isNew) await playDemo(app, service, demo);
    },
  });
}
