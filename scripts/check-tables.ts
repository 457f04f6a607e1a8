import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * One room writes a table: whoever looks for what may be in it has one folder to read. `platform` is a room of its own.
 * Tables of the programme are written in a ProgrammeTx alone, so that the version always moves.
 */
const src = 'packages/server/src';

/** What moves the programme's version (publishers/changing-programme.ts). */
const ofProgramme = new Set([
  'creator_group',
  'tier',
  'sku_share',
  'membership',
  'group_code',
  'global_code',
  'creator_account',
  'creator_identity',
]);

/** Money moves in one place: an entry never without its balance. */
const ofOneFile: Readonly<Record<string, string>> = {
  ledger_entry: 'settlement/ledger.ts',
  member_balance: 'settlement/ledger.ts',
};

/** Written in more than one place for a reason that is worth it, said here. */
const shared: Readonly<Record<string, readonly string[]>> = {
  // A queue: recording fills it in its one statement, settling empties it in its own.
  unsettled: ['attributions', 'settlement'],
};

const generated = readFileSync(`${src}/platform/database/tables.generated.ts`, 'utf8');
const index = generated.slice(generated.indexOf('export interface Tables {'));
const tables = new Set([...index.matchAll(/^ {2}(\w+): /gm)].map(([, table]) => table ?? ''));
if (tables.size < 30) throw new Error('the tables of the schema were not found');

const writes = [
  /\b(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)/g,
  /\b(?:insert\s+into|delete\s+from|merge\s+into)\s+(\w+)/g,
  /\bupdate\s+(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/g,
];

const writers = new Map<string, Map<string, Set<string>>>();
const problems: string[] = [];
for (const path of globSync(`${src}/**/*.ts`)) {
  if (/\.generated\.ts$|\.test\.ts$/.test(path)) continue;
  const text = readFileSync(path, 'utf8');
  const [room = ''] = relative(src, path).split('/');
  const written = new Set(
    writes.flatMap((pattern) => [...text.matchAll(pattern)].map(([, table]) => table ?? '')),
  );
  for (const table of written) {
    if (!tables.has(table)) continue;
    const rooms = writers.get(table) ?? new Map<string, Set<string>>();
    writers.set(table, rooms.set(room, (rooms.get(room) ?? new Set()).add(relative(src, path))));
    const only = ofOneFile[table];
    if (only !== undefined && only !== relative(src, path))
      problems.push(`${path} writes ${table}, which ${only} alone writes`);
    if (ofProgramme.has(table) && !/\bProgrammeTx\b/.test(text))
      problems.push(`${path} writes ${table}, which is of the programme, without a ProgrammeTx`);
  }
}

for (const [table, rooms] of writers) {
  const others = [...rooms.keys()].filter((room) => !shared[table]?.includes(room));
  if (others.length < 2) continue;
  const places = [...rooms].map(([room, paths]) => `${room} (${[...paths].join(', ')})`);
  problems.push(`${table} is written by ${places.join(' and ')}`);
}
if (writers.size < 30) problems.push(`only ${writers.size} tables are written; are all files read?`);
for (const [table, only] of Object.entries(ofOneFile))
  if (![...(writers.get(table)?.values() ?? [])].some((paths) => paths.has(only)))
    problems.push(`${only} does not write ${table}; is it still where money moves?`);
for (const table of Object.keys(shared))
  if ((writers.get(table)?.size ?? 0) < 2) problems.push(`${table} is shared no more; take it off the list`);

if (problems.length > 0) {
  process.stderr.write(`${problems.sort().join('\n')}\n`);
  process.exit(1);
}
process.stdout.write(`${writers.size} tables, each written by one room\n`);
