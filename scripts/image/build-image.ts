import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Machine, run } from './run.ts';

/** Image built by deploy/Containerfile: a target and its maximum compressed size. */
export interface Variant {
  readonly target: string;
  readonly suffix: string;
  readonly maxMegabytes: number;
}

export const variants: readonly Variant[] = [
  { target: 'attribution', suffix: '', maxMegabytes: 75 },
  { target: 'attribution-postgresql', suffix: '-postgresql', maxMegabytes: 120 },
];

const { version } = JSON.parse(readFileSync('packages/server/package.json', 'utf8')) as { version: string };

export const nameOf = ({ suffix }: Variant, { debian }: Machine): string =>
  `localhost/attribution:${version}${suffix}-${debian}`;

/** Returns the command that copies an image to Docker, which has its own storage and names. */
export const copyToDocker = ({ suffix }: Variant): string =>
  `skopeo copy containers-storage:localhost/attribution:${version}${suffix} docker-daemon:attribution:${version}${suffix}`;

/** Builds the image for `ARG BASE` from the minimal system's folder. @returns its name */
export function baseImage(root: string, { debian }: Machine): string {
  const name = `localhost/attribution-base:${debian}`;
  const container = run('buildah', ['from', '--arch', debian, 'scratch']).trim();
  try {
    run('buildah', ['copy', '--chown', '0:0', container, root, '/']);
    run('buildah', ['config', '--arch', debian, '--os', 'linux', container]);
    run('buildah', ['commit', '--quiet', container, name]);
  } finally {
    run('buildah', ['rm', container]);
  }
  return name;
}

/** Adds the Containerfile and the files it copies to the build context. */
export function completeContext(context: string, shell: string): void {
  cpSync('deploy/Containerfile', join(context, 'Containerfile'));
  cpSync('deploy/root', join(context, 'root'), { recursive: true });
  cpSync(shell, join(context, 'shell'), { recursive: true, verbatimSymlinks: true });
  mkdirSync(join(context, 'owned/data'), { recursive: true });
  requireSameFlags();
}

/** Builds one image. @returns its name */
export function buildImage(
  variant: Variant,
  machine: Machine,
  from: { base: string; context: string },
): string {
  const name = nameOf(variant, machine);
  const label = (key: string, value: string) => ['--label', `org.opencontainers.image.${key}=${value}`];
  const commit = run('git', ['log', '-1', '--format=%ct %H']).trim().split(' ');
  run('buildah', [
    'build',
    '--format=docker', // unlike the OCI format, supports health checks
    '--layers',
    '--platform',
    `linux/${machine.debian}`,
    '--timestamp',
    commit[0] ?? '0',
    '--build-arg',
    `BASE=${from.base}`,
    '--target',
    variant.target,
    ...label('title', 'attribution'),
    ...label('version', version),
    ...label('revision', commit[1] ?? ''),
    ...label('licenses', 'Apache-2.0'),
    '--tag',
    name,
    from.context,
  ]);
  // An image for this machine's architecture also gets a name without the architecture.
  if (machine.node === process.arch)
    run('buildah', ['tag', name, `localhost/attribution:${version}${variant.suffix}`]);
  return name;
}

/** Returns the size of a first download, with the layers as stored in a registry. */
export function compressedMegabytes(name: string, folder: string): number {
  const copy = join(folder, `copy-${name.replace(/\W/g, '-')}`);
  run('skopeo', ['copy', '--quiet', '--dest-compress', `containers-storage:${name}`, `dir:${copy}`]);
  const { layers } = JSON.parse(readFileSync(join(copy, 'manifest.json'), 'utf8')) as {
    layers: { size: number }[];
  };
  return layers.reduce((sum, { size }) => sum + size, 0) / 1_000_000;
}

/** Fails unless the image starts Node with the flags from bin/attribution.js's first line, which the image bypasses. */
function requireSameFlags(): void {
  const [first = ''] = readFileSync('packages/server/bin/attribution.js', 'utf8').split('\n');
  const flags = first.split(' ').filter((word) => word.startsWith('--'));
  const entry = /^ENTRYPOINT (.*)$/m.exec(readFileSync('deploy/Containerfile', 'utf8'))?.[1] ?? '[]';
  const given = (JSON.parse(entry) as string[]).filter((word) => word.startsWith('--'));
  if (flags.join() !== given.join())
    throw new Error(
      `deploy/Containerfile starts Node with ${given.join(' ')}, but bin/attribution.js with ${flags.join(' ')}`,
    );
}
