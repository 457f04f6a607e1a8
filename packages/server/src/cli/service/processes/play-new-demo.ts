import { buildApp } from '../../../app.ts';
import { composeService } from '../../../composition.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createMetrics } from '../../../platform/telemetry/metrics.ts';
import { type Demo, playDemo } from '../demo.ts';
import type { Prepared } from '../prepare.ts';

/** Creates a new demo's history before the processes start, which would otherwise all do it. */
export async function playNewDemo(
  { config, log, database, sealer, portal }: Prepared,
  demo: Demo,
): Promise<void> {
  const service = composeService({
    ...{ config, database, sealer, log, metrics: createMetrics(), clock: systemClock },
    sendDemoMail: portal?.sendMail,
  });
  const app = await buildApp(service);
  try {
    await playDemo(app, service, demo);
  } finally {
    await app.close();
  }
}
