import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './run.ts';

/** As the strictest clusters run it: nothing may be written but /tmp and volumes, and no privilege is there or to be had. */
const confined = [
  '--read-only',
  '--read-only-tmpfs=false',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
  '--network=host',
  // Health is asked here, not by systemd, which there may be none of.
  '--no-healthcheck',
  // Fewer than anybody who runs this may give.
  '--ulimit=nofile=1024:1024',
  '--ulimit=nproc=4096:4096',
];

/** Podman's usual runtime does not know a machine with both generations of cgroups. */
const runtime = existsSync('/sys/fs/cgroup/unified') ? ['--runtime=runc'] : [];

export interface ContainerOptions {
  readonly image: string;
  readonly words: readonly string[];
  /** Of podman: volumes and settings. */
  readonly options: readonly string[];
}

/** A container that runs until it is stopped. */
export class Container {
  readonly name: string;

  constructor(name: string, { image, words, options }: ContainerOptions) {
    this.name = name;
    run('podman', [...runtime, 'run', '--detach', '--name', name, ...confined, ...options, image, ...words]);
  }

  /** The process that everything in it comes from, as this machine numbers it. */
  get pid(): number {
    return Number(run('podman', ['inspect', '--format', '{{.State.Pid}}', this.name]));
  }

  output(): string {
    const { stdout, stderr } = spawnSync('podman', ['logs', this.name], { encoding: 'utf8' });
    return `${stdout}${stderr}`;
  }

  /** @returns where it says that it listens */
  async listening(): Promise<string> {
    return await until(
      `${this.name} to listen`,
      () => /listens on (http:\/\/\S+)/.exec(this.output())?.[1],
      this,
    );
  }

  /** Runs a program inside, perhaps with other settings. */
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

  /** One that ends meanwhile needs none. */
  kill(signal: NodeJS.Signals): void {
    const { status, stderr } = spawnSync('podman', ['kill', '--signal', signal, this.name], {
      encoding: 'utf8',
    });
    if (status !== 0 && this.isRunning()) throw new Error(stderr);
  }

  isRunning(): boolean {
    return run('podman', ['inspect', '--format', '{{.State.Running}}', this.name]).trim() === 'true';
  }

  /** @returns its exit code, once it has ended */
  async ended(): Promise<number> {
    await until(`${this.name} to end`, () => !this.isRunning());
    return Number(run('podman', ['inspect', '--format', '{{.State.ExitCode}}', this.name]));
  }

  /** What the kernel lets its process do: user, privileges, and whether it can get more. */
  standing(): { uids: string; privileges: string; mayGainMore: boolean } {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    const field = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
    return { uids: field('Uid'), privileges: field('CapEff'), mayGainMore: field('NoNewPrivs') !== '1' };
  }

  remove(): void {
    spawnSync('podman', ['rm', '--force', '--time', '0', this.name]);
  }
}

/** Runs an image to its end. */
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

/** An emulated machine is some ten times slower. */
const patienceMs = 600_000;

export async function until<Value>(
  what: string,
  look: () => Value | undefined | false | Promise<Value | undefined | false>,
  container?: Container,
): Promise<Value> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline || container?.isRunning() === false)
      throw new Error(`waited in vain for ${what}\n${container?.output() ?? ''}`);
    await sleep(100);
  }
}
