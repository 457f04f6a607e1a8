import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Runs a program to completion. @returns its output @throws Error with its output if it fails */
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
    throw new Error(`${file} is not installed; docs/containers.md lists the requirements`);
  if (status !== 0)
    throw new Error(`${file} ${args.join(' ')} failed: ${error?.message ?? ''}\n${stdout}${stderr}`);
  return stdout;
}

/** Architecture, with the name that Debian and images use, and the name that Node uses. */
export interface Machine {
  readonly debian: string;
  readonly node: string;
  /** Name of the kernel's entry if the kernel emulates this architecture. */
  readonly emulated: string;
}

export const machines: readonly Machine[] = [
  { debian: 'amd64', node: 'x64', emulated: 'qemu-x86_64' },
  { debian: 'arm64', node: 'arm64', emulated: 'qemu-aarch64' },
];

/** Returns whether this machine runs programs for an architecture, natively or through qemu-user-static. */
export const canRun = ({ node, emulated }: Machine): boolean =>
  node === process.arch || existsSync(`/proc/sys/fs/binfmt_misc/${emulated}`);
