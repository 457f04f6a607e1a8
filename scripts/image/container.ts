import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './run.ts';

/**
 * Options that match the strictest clusters: only /tmp and volumes are writable, and there are no privileges.
 */
const confined = [
  '--read-only',
  '--read-only-tmpfs=false',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
  '--network=host',
  // Health is checked by the tests, because systemd may not be available.
  '--no-healthcheck',
  // These limits are lower than in any real installation.
  '--ulimit=nofile=1024:1024',
  '--ulimit=nproc=4096:4096',
];

/**
 * Option that selects runc, because Podman's default runtime does not support a machine with both versions of
 * cgroups.
 */
const runtime = existsSync('/sys/fs/cgroup/unified') ? ['--runtime=runc'] : [];

export interface ContainerOptions {
  readonly image: string;
  readonly words: readonly string[];
  readonly options: readonly string[];
}

/** Container that runs until it is stopped. */
export class Container {
  readonly name: string;

  constructor(name: string, { image, words, options }: ContainerOptions) {
    this.name = name;
    run('podman', [...runtime, 'run', '--detach', '--name', name, ...confined, ...options, image, ...words]);
  }

  /** Process id of the container's first process, as seen from this machine. */
  get pid(): number {
    return Number(run('podman', ['inspect', '--format', '{{.State.Pid}}', this.name]));
  }

  output(): string {
    const { stdout, stderr } = spawnSync('podman', ['logs', this.name], { encoding: 'utf8' });
    return `${stdout}${stderr}`;
  }

  /** @returns the URL that the service prints once it is listening */
  async listening(): Promise<string> {
    return await until(
      `${this.name} to listen`,
      () => /listens on (http:\/\/\S+)/.exec(this.output())?.[1],
      this,
    );
  }

  execute(
    words: readonly string[],
    settings: Readonly<Record<string, string>> = {},
  ): { code: number | null; output: string } {
    const environment = Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`);
    const { status, stdout, stderr } = spawnSync(
      'podman',
      [...runtime, 'exec', ...environment, this.name, ...words],
      {
        encoding: 'utf8',
      },
    );
    return { code: status, output: `${stdout}${stderr}` };
  }

  /** Sends a signal unless the container has ended. */
  kill(signal: NodeJS.Signals): void {
    const { status, stderr } = spawnSync('podman', ['kill', '--signal', signal, this.name], {
      encoding: 'utf8',
    });
    if (status !== 0 && this.isRunning()) throw new Error(stderr);
  }

  isRunning(): boolean {
    return run('podman', ['inspect', '--format', '{{.State.Running}}', this.name]).trim() === 'true';
  }

  /** @returns the exit code once the container has ended */
  async ended(): Promise<number> {
    await until(`${this.name} to end`, () => !this.isRunning());
    return Number(run('podman', ['inspect', '--format', '{{.State.ExitCode}}', this.name]));
  }

  /** Returns the process's user, its privileges, and whether it can gain more privileges. */
  privileges(): { uids: string; privileges: string; mayGainMore: boolean } {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    const field = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
    return { uids: field('Uid'), privileges: field('CapEff'), mayGainMore: field('NoNewPrivs') !== '1' };
  }

  remove(): void {
    spawnSync('podman', ['rm', '--force', '--time', '0', this.name]);
  }
}

export function runToEnd({ image, words, options }: ContainerOptions): {
  code: number | null;
  output: string;
} {
  const { status, stdout, stderr } = spawnSync(
    'podman',
    [...runtime, 'run', '--rm', ...confined, ...options, image, ...words],
    { encoding: 'utf8' },
  );
  return { code: status, output: `${stdout}${stderr}` };
}

/** Longest wait. An emulated machine is about ten times slower. */
const maxWaitMs = 600_000;

export async function until<Value>(
  what: string,
  look: () => Value | undefined | false | Promise<Value | undefined | false>,
  container?: Container,
): Promise<Value> {
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline || container?.isRunning() === false)
      throw new Error(`timed out waiting for ${what}\n${container?.output() ?? ''}`);
    await sleep(100);
  }
}
