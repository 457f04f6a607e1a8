import {
  appendFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Machine, run } from './run.ts';

const release = 'bookworm';

/** Packages with the libraries that Node and PostgreSQL link, port names, time zones and certificates. */
const packages = [
  'base-files',
  'netbase',
  'libc6',
  'libc-bin',
  'libgcc-s1',
  'libstdc++6',
  'gcc-12-base',
  'tzdata',
  'ca-certificates',
];
const shell = 'dash';

/** Files of the base packages that the image does not need. Copyright files are kept. */
const superfluous = [
  'usr/share/man',
  'usr/share/info',
  'usr/share/lintian',
  'usr/share/bug',
  'usr/share/base-files',
  'usr/share/gdb',
  'usr/share/gcc',
  'usr/sbin',
  'usr/bin',
  'usr/lib/*/gconv',
  'usr/lib/*/audit',
  'etc/default',
  'etc/update-motd.d',
  'usr/share/doc/*/!(copyright)',
];

/**
 * Builds a minimal system for the service from unmodified Debian packages. apt verifies the packages with
 * Debian's signature. The packages' scripts are not run, so a machine can build the system for any
 * architecture.
 * @returns the system's folder, and a folder with only a shell
 */
export function makeBase(machine: Machine, folder: string): { root: string; shell: string } {
  const debs = join(folder, 'debs');
  download(machine, join(folder, 'apt'), debs);
  const root = join(folder, 'base');
  for (const name of [
    'usr/bin',
    'usr/sbin',
    'usr/lib',
    'usr/lib64',
    'var/lib/dpkg/status.d',
    'tmp',
    'etc/ssl/certs',
  ])
    mkdirSync(join(root, name), { recursive: true });
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name));
  const files = readdirSync(debs).sort();
  for (const file of files.filter((name) => !name.startsWith(`${shell}_`))) {
    unpack(join(debs, file), root);
    // Scanners read the installed packages here.
    const control = run('dpkg-deb', ['--field', join(debs, file)]);
    writeFileSync(join(root, 'var/lib/dpkg/status.d', file.split('_')[0] ?? file), control);
  }
  bundleCertificates(root);
  cpSync(join(root, 'usr/share/zoneinfo/Etc/UTC'), join(root, 'etc/localtime'));
  for (const pattern of superfluous)
    for (const path of globSync(pattern.replace('!(copyright)', '*'), { cwd: root }))
      if (!path.endsWith('/copyright')) rmSync(join(root, path), { recursive: true });
  run('chmod', ['1777', join(root, 'tmp')]);

  const shellRoot = join(folder, 'shell');
  unpackShell(join(debs, files.find((name) => name.startsWith(`${shell}_`)) ?? ''), folder, shellRoot);
  return { root, shell: shellRoot };
}

/** Downloads the packages with separate lists, cache and state, regardless of this machine's packages and architecture. */
function download({ debian }: Machine, state: string, into: string): void {
  for (const name of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(state, name), { recursive: true });
  mkdirSync(into, { recursive: true });
  writeFileSync(join(state, 'status'), '');
  const source = 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org';
  writeFileSync(
    join(state, 'sources.list'),
    `${source}/debian ${release} main\n${source}/debian ${release}-updates main\n${source}/debian-security ${release}-security main\n`,
  );
  const options = {
    'Dir::State': state,
    'Dir::State::status': join(state, 'status'),
    'Dir::State::lists': join(state, 'lists'),
    'Dir::Cache': join(state, 'cache'),
    'Dir::Etc::sourcelist': join(state, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'APT::Architecture': debian,
    'APT::Architectures::': debian,
    'APT::Sandbox::User': 'root',
  };
  const words = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  run('apt-get', ['-q', ...words, 'update']);
  run('apt-get', ['-q', ...words, 'download', ...packages, shell], { cwd: into });
}

/** Unpacks a package into a system whose /bin and /lib are links to /usr/bin and /usr/lib. */
function unpack(deb: string, root: string): void {
  run('sh', [
    '-c',
    'dpkg-deb --fsys-tarfile "$0" | tar -x --no-same-owner --keep-directory-symlink -C "$1"',
    deb,
    root,
  ]);
}

function unpackShell(deb: string, folder: string, root: string): void {
  const whole = join(folder, 'dash');
  mkdirSync(join(whole, 'usr/bin'), { recursive: true });
  symlinkSync('usr/bin', join(whole, 'bin'));
  unpack(deb, whole);
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  cpSync(join(whole, 'usr/bin/dash'), join(root, 'usr/bin/dash'));
  symlinkSync('dash', join(root, 'usr/bin/sh'));
  cpSync(join(whole, 'usr/share/doc/dash/copyright'), join(root, 'usr/share/doc/dash/copyright'));
  mkdirSync(join(root, 'var/lib/dpkg/status.d'), { recursive: true });
  writeFileSync(join(root, 'var/lib/dpkg/status.d/dash'), run('dpkg-deb', ['--field', deb]));
}

/** Writes all certificates trusted by Mozilla to one file, as update-ca-certificates does. */
function bundleCertificates(root: string): void {
  const bundle = join(root, 'etc/ssl/certs/ca-certificates.crt');
  for (const path of globSync('usr/share/ca-certificates/mozilla/*.crt', { cwd: root }).sort())
    appendFileSync(bundle, `${readFileSync(join(root, path), 'utf8').trim()}\n`);
}
