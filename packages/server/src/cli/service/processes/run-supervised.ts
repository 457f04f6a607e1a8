import { systemClock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config.ts';
import { requireKey } from '../../../platform/secrets/sealer.ts';
import type { Log } from '../../../platform/telemetry/log.ts';
import { createMetrics } from '../../../platform/telemetry/metrics.ts';
import { openBeside } from '../../installation/open-installation.ts';
import { openDemo } from '../demo.ts';
import { demoPortal } from '../demo-portal.ts';
import type { Role } from '../roles.ts';
import { startServing } from '../serving.ts';
import { withDatabase } from '../with-database.ts';
import { listenToSupervisor } from './listen-to-supervisor.ts';

interface Run {
  readonly role: Role;
  /** Name of this process among the supervised ones, such as `api-1`. */
  readonly name: string;
  readonly log: Log;
  readonly print: (line: string) => void;
}

/** Runs one of the processes that a supervisor starts, until the supervisor stops it. */
export async function runSupervised(config: Config, { role, name, log, print }: Run): Promise<void> {
  const metrics = createMetrics();
  metrics.registry.setDefaultLabels({ process: name });
  const supervisor = listenToSupervisor(metrics);
  const installation = await openBeside(config);
  const { sealer, isEmbedded } = installation;
  requireKey(sealer);
  await withDatabase(installation, { config, log }, async (database) => {
    const demo = isEmbedded ? await openDemo(config.dataDir, database.db) : null;
    // Together, the processes do all of the work.
    const portal = demoPortal({ config, role: 'all', isDemo: demo !== null, print });
    const serving = await startServing({
      foundation: {
        ...{ database, sealer, metrics, log, clock: systemClock },
        config: portal?.config ?? config,
        sendDemoMail: portal?.sendMail,
      },
      role,
      listens: role === 'worker' ? 'never' : 'together',
      readMetrics: supervisor.readMetrics,
      onWrite: supervisor.reportWrite,
    });
    supervisor.serves(serving);
    await supervisor.stopRequested;
    await serving.stop();
  });
  supervisor.leave();
}
