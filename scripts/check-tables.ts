import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { programTables } from '../packages/server/src/platform/database/program-tables.ts';

/**
 * One room writes a table: whoever looks for what may be in it has one folder to read. `platform` is a room of its own.
 * What moves a program's version is written in a ProgramTx alone: types hold that for the builder, and this for SQL.
 * Memberships are locked in one file, so that nobody who locks several waits for somebody who waits for them.
 */
const src = 'packages/server/src';

/** Money moves in one place: an entry never without its balance. */
const ofOneFile: Readonly<Record<string, string>> = {
  ledger_entry: 'settlement/ledger.ts',
  member_balance: 'settlement/ledger.ts',
};

/** Who locks memberships does it here, in the order of their ids; and who stands for whom is said here. */
const lockOfMembers = 'members/lock-members.ts';
const membersRoom = 'members';

/** Written in more than one place for a reason that is worth it, said here. */
const shared: Readonly<Record<string, readonly string[]>> = {
  // A queue: recording fills it in its one statement, posting empties it in its own.
  unposted: ['attributions', 'settlement'],
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

/** A statement that locks rows, from where it begins: `for update of x` locks x alone. */
const locking =
  /(?:sql(?:<[^`]*?>)?`|selectFrom\()(?:(?!sql(?:<[^`]*?>)?`|selectFrom\()[\s\S])*?(?:\bfor (?:no key update|update|share|key share)\b(?! of )|\.for(?:NoKeyUpdate|Update|Share|KeyShare)\()/g;
const ofMembership = /\b(?:from|join)\s+membership\b|^selectFrom\(\s*'membership\b|Join\(\s*'membership\b/;
let locks = 0;

const writers = new Map<string, Map<string, Set<string>>>();
const problems: string[] = [];
for (const path of globSync(`${src}/**/*.ts`)) {
  if (/\.generated\.ts$|\.test\.ts$/.test(path)) continue;
  const text = readFileSync(path, 'utf8');
  const [room = ''] = relative(src, path).split('/');
  const written = new Set(
    writes.flatMap((pattern) => [...text.matchAll(pattern)].map(([, table]) => table ?? '')),
  );
  const isOfMembers = relative(src, path) === lockOfMembers;
  for (const [statement] of text.matchAll(locking)) {
    if (!ofMembership.test(statement)) continue;
    if (isOfMembers) locks += 1;
    else problems.push(`${path} locks memberships, which ${lockOfMembers} does, in one order for all`);
  }
  if (room !== membersRoom && /\bmerged_into\b/.test(text))
    problems.push(`${path} says for itself which membership stands; members/standing.ts does`);
  for (const table of written) {
    if (!tables.has(table)) continue;
    const rooms = writers.get(table) ?? new Map<string, Set<string>>();
    writers.set(table, rooms.set(room, (rooms.get(room) ?? new Set()).add(relative(src, path))));
    const only = ofOneFile[table];
    if (only !== undefined && only !== relative(src, path))
      problems.push(`${path} writes ${table}, which ${only} alone writes`);
    if (movesVersion(table, text) && !/\bProgramTx\b/.test(text))
      problems.push(`${path} writes ${table}, which is of the program, without a ProgramTx`);
  }
}

for (const [table, rooms] of writers) {
  const others = [...rooms.keys()].filter((room) => !shared[table]?.includes(room));
  if (others.length < 2) continue;
  const places = [...rooms].map(([room, paths]) => `${room} (${[...paths].join(', ')})`);
  problems.push(`${table} is written by ${places.join(' and ')}`);
}
if (locks < 3) problems.push(`only ${locks} locks of memberships were found in ${lockOfMembers}`);
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

/** Where some columns of a table count alone, rows that come and go do as well, and updates of other columns do not. */
function movesVersion(table: string, text: string): boolean {
  const columns = new Map<string, 'all' | readonly string[]>(Object.entries(programTables)).get(table);
  if (columns === undefined || columns === 'all') return columns === 'all';
  const rows = new RegExp(
    `(insertInto|deleteFrom)\\(\\s*'${table}'|(insert\\s+into|delete\\s+from)\\s+${table}\\b`,
  );
  return rows.test(text) || columns.some((column) => new RegExp(`\\b${column}\\s*[:=]`).test(text));
}
