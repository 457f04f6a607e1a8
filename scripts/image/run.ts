import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Runs a program to its end and gives what it printed. @throws Error with what it said when it fails */
export function run(
  file: string,
  args: readonly string[],
  options: Pick<SpawnSyncOptions, 'cwd' | 'env' | 'input'> = {},
): string {
  const { status, error, stdout, stderr } = spawnSync(file, args, {
    ...options,
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 * 1_024,
  });
  if (error !== undefined && 'code' in error && error.code === 'ENOENT')
    throw new Error(`${file} is not installed; docs/containers.md says what is needed`);
  if (status !== 0)
    throw new Error(`${file} ${args.join(' ')} failed: ${error?.message ?? ''}\n${stdout}${stderr}`);
  return stdout;
}

/** A machine, by the names that Debian and images have for it, and by Node's. */
export interface Machine {
  readonly debian: string;
  readonly node: string;
  /** As the kernel has it, where it runs programs of this machine through an emulator. */
  readonly emulated: string;
}

export const machines: readonly Machine[] = [
  { debian: 'amd64', node: 'x64', emulated: 'qemu-x86_64' },
  { debian: 'arm64', node: 'arm64', emulated: 'qemu-aarch64' },
];

/** Whether programs of a machine run here: by themselves, or through qemu-user-static. */
export const mayRun = ({ node, emulated }: Machine): boolean =>
  node === process.arch || existsSync(`/proc/sys/fs/binfmt_misc/${emulated}`);
