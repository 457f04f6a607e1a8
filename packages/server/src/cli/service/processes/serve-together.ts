import type { Config } from '../../../platform/config.ts';
import { OperatorError } from '../../../platform/operator-error.ts';
import type { Surroundings } from '../../command-tools.ts';
import { apiAddress, findSharedPort, operationsAddress } from '../listen-at.ts';
import type { Prepared } from '../prepare.ts';
import type { Role } from '../roles.ts';
import type { Addresses } from '../serving.ts';
import type { Job } from './keep-running.ts';
import { type Supervisor, startSupervisor } from './supervisor.ts';

interface Together {
  role: Role;
  /** Number of processes that serve requests. */
  processes: number;
  environment: Surroundings['environment'];
}

/** Serves requests in several processes, and does background work in another one unless the role is `api`. */
export async function serveTogether(
  prepared: Prepared,
  { role, processes, environment }: Together,
): Promise<Supervisor & Addresses> {
  const { config, log } = prepared;
  if (process.platform !== 'linux')
    throw new OperatorError('PROCESSES above 1 requires Linux, which divides the connections to one port.');
  if (prepared.demo?.isNew) await (await import('./play-new-demo.ts')).playNewDemo(prepared, prepared.demo);
  const serving = Array.from({ length: processes }, (_, at): Job => ({ name: `api-${at + 1}`, role: 'api' }));
  const jobs: Job[] = role === 'api' ? serving : [...serving, { name: 'worker', role: 'worker' }];
  const supervisor = startSupervisor(jobs, {
    log,
    environment: { ...environment, ...(await sharedPorts(config)) },
    // Requests may take this long to finish, and so may queries.
    stopWithinMs: 2 * config.shutdownTimeoutMs + 5_000,
  });
  try {
    return { ...supervisor, ...(await supervisor.ready) };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

/** Returns the settings of the ports that the processes share. */
async function sharedPorts(config: Config): Promise<Record<string, string>> {
  const separate = operationsAddress(config);
  return {
    PORT: String(await findSharedPort(apiAddress(config))),
    ...(separate !== null && { OPERATIONS_PORT: String(await findSharedPort(separate)) }),
  };
}
