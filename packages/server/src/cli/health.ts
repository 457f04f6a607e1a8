import type { Command } from 'commander';
import { OperatorError } from '../platform/operator-error.ts';
import type { CommandTools } from './command-tools.ts';

const patienceMs = 4_000;

/** health: whether the service that runs here answers. For containers, whose image has nothing else to ask it with. */
export function addHealthCommand(program: Command, { config, print, fail }: CommandTools): void {
  program
    .command('health')
    .description('Ask the service that runs on this machine, at PORT, whether it lives.')
    .option('--ready', 'ask whether it can work, too: whether its database answers')
    .action(async ({ ready = false }: { ready?: boolean }) => {
      const { host, port } = config(() => undefined); // told by the service, and this is run again and again
      if (port === 0) throw new OperatorError('PORT is 0, so nobody knows where the service listens.');
      const url = `http://${reachableHost(host)}:${port}${ready ? '/readyz' : '/healthz'}`;
      const { isWell, words } = await ask(url);
      print(`${url}: ${words}`);
      if (!isWell) fail();
    });
}

async function ask(url: string): Promise<{ isWell: boolean; words: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) });
    return { isWell: response.ok, words: `${response.status} ${(await response.text()).slice(0, 500)}` };
  } catch (error) {
    const { cause = error } = error as Error;
    return { isWell: false, words: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** What listens everywhere is reached on this machine. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
