import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';

/** Lints the migrations that are not released yet; `.squawk.toml` lists those that are, and what may be done and why. */
const released = new Set(
  readFileSync('.squawk.toml', 'utf8').match(/packages\/server\/migrations\/\S+\.sql/g),
);
const all = globSync('packages/server/migrations/*.sql').sort();
const gone = [...released].filter((path) => !all.includes(path));
if (gone.length > 0) fail(`.squawk.toml lists ${gone.join(', ')}, which is not there`);

const fresh = all.filter((path) => !released.has(path));
if (fresh.length > 0) {
  const { status, error } = spawnSync('squawk', fresh, { stdio: 'inherit' });
  if (status !== 0)
    fail(error?.message ?? 'What has to be so says why: `-- squawk-ignore <rule> -- <reason>`.');
}
process.stdout.write(`${fresh.length} new migration(s), ${released.size} released\n`);

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
