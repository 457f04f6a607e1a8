import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { billOfMaterials } from './release/sbom.ts';

/**
 * Writes a release's files to `dist/release`: the sources, the client as published on npm, the bill of materials, and all
 * checksums. A commit always produces the same bytes (docs/releasing.md). With --sbom, writes only the bill of materials.
 */
const folder = 'dist/release';
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  name: string;
  version: string;
};
const base = `${name}-${version}`;

requireReleasable();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, `${base}.cdx.json`),
  `${JSON.stringify(billOfMaterials(run('git', 'log', '-1', '--format=%cI').toString().trim()), null, 2)}\n`,
);
if (!process.argv.includes('--sbom')) {
  const archive = run('git', 'archive', '--format=tar', `--prefix=${base}/`, 'HEAD');
  writeFileSync(join(folder, `${base}.tar.gz`), gzipSync(archive, { level: 9 }));
  run('npm', 'run', '--silent', 'build', '-w', 'packages/client');
  run('npm', 'pack', '--silent', '-w', 'packages/client', '--pack-destination', folder);
  const files = readdirSync(folder).sort();
  writeFileSync(join(folder, 'SHA256SUMS'), files.map((file) => `${sha256(file)}  ${file}\n`).join(''));
}
process.stdout.write(
  readdirSync(folder)
    .sort()
    .map((file) => `${join(folder, file)}\n`)
    .join(''),
);

/** Fails if there are uncommitted changes or if versions differ. */
function requireReleasable(): void {
  const changed = run('git', 'status', '--porcelain', '--untracked-files=no').toString().trim();
  if (changed !== '') fail(`Commit these changes first:\n${changed}`);
  for (const path of ['packages/server', 'packages/client', 'packages/web']) {
    const own = JSON.parse(readFileSync(`${path}/package.json`, 'utf8')).version;
    if (own !== version) fail(`${path} has version ${own}, but the root has ${version}.`);
  }
  if (!readFileSync('CHANGELOG.md', 'utf8').includes(`\n## ${version}`))
    fail(`CHANGELOG.md has no section for ${version}.`);
}

function run(command: string, ...args: string[]): Buffer {
  const { status, stdout, stderr, error } = spawnSync(command, args, { maxBuffer: 512 * 1_024 * 1_024 });
  if (status !== 0) fail(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}

function sha256(file: string): string {
  return createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
