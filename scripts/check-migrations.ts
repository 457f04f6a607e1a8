import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { splitStatements } from '../packages/server/src/platform/database/schema/split-statements.ts';

/** Lints unreleased migrations. `.squawk.toml` lists the released migrations and the allowed exceptions. */
const released = new Set(
  readFileSync('.squawk.toml', 'utf8').match(/packages\/server\/migrations\/\S+\.sql/g),
);
const all = globSync('packages/server/migrations/*.sql').sort();
const gone = [...released].filter((path) => !all.includes(path));
if (gone.length > 0) fail(`.squawk.toml lists ${gone.join(', ')}, which does not exist`);

const fresh = all.filter((path) => !released.has(path));
if (fresh.length > 0) {
  const { status, error } = spawnSync('squawk', fresh, { stdio: 'inherit' });
  if (status !== 0)
    fail(error?.message ?? 'To allow an exception, give the reason: `-- squawk-ignore <rule> -- <reason>`.');
}
/**
 * First migration that runs on distributed tables. Earlier migrations run on plain tables, which are
 * distributed afterward.
 */
const firstOnSpread = 26;
for (const path of fresh) {
  if (Number(/(\d{4})_/.exec(path)?.[1]) < firstOnSpread) continue;
  for (const statement of splitStatements(readFileSync(path, 'utf8'))) {
    const problem = refusedByCitus(statement);
    if (problem !== null) fail(`${path}: ${problem} (docs/adr/0043-growing.md)`);
  }
}
process.stdout.write(`${fresh.length} new migration(s), ${released.size} released\n`);

function refusedByCitus(statement: string): string | null {
  if (!/^\s*(?:--[^\n]*\n\s*)*alter\s+table\b/i.test(statement)) return null;
  const keys = statement.match(/\bforeign\s+key\b/gi)?.length ?? 0;
  if (keys > 1) return 'an alter table adds several foreign keys; use one statement for each';
  const addsColumn = /\badd\s+column\b/i.test(statement);
  return addsColumn && /\b(?:check\s*\(|foreign\s+key|references\b)/i.test(statement)
    ? 'an alter table adds a column together with a check or a key; add that by name after the column'
    : null;
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
