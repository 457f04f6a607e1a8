import type { Command } from 'commander';
import { OperatorError } from '../platform/operator-error.ts';
import type { CommandTools } from './command-tools.ts';

const patienceMs = 4_000;

/** Containers use this command for health checks, because their image has no HTTP client. */
export function addHealthCommand(program: Command, { config, print, fail }: CommandTools): void {
  program
    .command('health')
    .description('Check whether the service on this machine, at PORT, is alive.')
    .option('--ready', 'also check that it is ready, which requires its database to respond')
    .action(async ({ ready = false }: { ready?: boolean }) => {
      const { host, port } = config(() => undefined); // the service has already warned, and this command runs often
      if (port === 0) throw new OperatorError("PORT is 0, so the service's port is unknown. Set PORT.");
      const url = `http://${reachableHost(host)}:${port}${ready ? '/readyz' : '/healthz'}`;
      const { isHealthy, message } = await check(url);
      print(`${url}: ${message}`);
      if (!isHealthy) fail();
    });
}

async function check(url: string): Promise<{ isHealthy: boolean; message: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) });
    return { isHealthy: response.ok, message: `${response.status} ${(await response.text()).slice(0, 500)}` };
  } catch (error) {
    const { cause = error } = error as Error;
    return { isHealthy: false, message: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** Returns the host to use in a URL, with the loopback address in place of an all-interfaces address. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
