import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { programTables } from '../packages/server/src/platform/database/program-tables.ts';
import { entryPoints } from './slices.ts';

/**
 * Checks that each table is written by only one slice, so that one folder shows everything that the table may
 * contain; `platform` counts as a slice. Tables whose changes increase a program's version are written only
 * in a ProgramTx: types enforce this rule for the query builder, and this check enforces it for SQL. A query
 * that reads one slice's tables belongs to that slice, so entry points contain only queries that join several
 * slices' tables. Memberships are locked in one file and one order, which prevents deadlocks.
 */
const src = 'packages/server/src';

/** Tables written by a single file, so that a ledger entry is never written without its balance. */
const ofOneFile: Readonly<Record<string, string>> = {
  ledger_entry: 'settlement/ledger.ts',
  member_balance: 'settlement/ledger.ts',
};

/** File that locks memberships, in the order of their ids. Only its slice reads `merged_into`. */
const lockOfMembers = 'members/lock-members.ts';
const membersSlice = 'members';

/** Names all columns, but reads no table. */
const registerOfColumns = 'privacy/register/';

/** Tables written by several slices, with the reasons. */
const shared: Readonly<Record<string, readonly string[]>> = {
  // The posting queue, which recording fills in its single statement and posting empties in its own
  // statement.
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

/** Pattern for a statement that locks rows. Doesn't match `for update of x`, which locks only x. */
const locking =
  /(?:sql(?:<[^`]*?>)?`|selectFrom\()(?:(?!sql(?:<[^`]*?>)?`|selectFrom\()[\s\S])*?(?:\bfor (?:no key update|update|share|key share)\b(?! of )|\.for(?:NoKeyUpdate|Update|Share|KeyShare)\()/g;
const ofMembership = /\b(?:from|join)\s+membership\b|^selectFrom\(\s*'membership\b|Join\(\s*'membership\b/;
let locks = 0;

const reads = [/\b(?:selectFrom|[a-z]+Join)\(\s*'(\w+)/g, /\b(?:from|join)\s+(\w+)/g];
/**
 * Commands that examine or copy a whole database, over their own connections and before the service can run.
 */
const ownConnections = 'cli/installation/';
/** Tables that each file of an entry point reads. */
const readers = new Map<string, readonly string[]>();

const writers = new Map<string, Map<string, Set<string>>>();
const problems: string[] = [];
for (const path of globSync(`${src}/**/*.ts`)) {
  if (/\.generated\.ts$|\.test\.ts$/.test(path)) continue;
  const text = readFileSync(path, 'utf8');
  const [slice = ''] = relative(src, path).split('/');
  if (entryPoints.includes(slice) && !relative(src, path).startsWith(ownConnections))
    readers.set(path, tablesIn(text, reads));
  const isOfMembers = relative(src, path) === lockOfMembers;
  for (const [statement] of text.matchAll(locking)) {
    if (!ofMembership.test(statement)) continue;
    if (isOfMembers) locks += 1;
    else problems.push(`${path} locks memberships; use ${lockOfMembers}, which does so in one order`);
  }
  if (
    slice !== membersSlice &&
    !relative(src, path).startsWith(registerOfColumns) &&
    /\bmerged_into\b/.test(text)
  )
    problems.push(`${path} reads merged_into; use members/standing.ts`);
  for (const table of tablesIn(text, writes)) {
    const slices = writers.get(table) ?? new Map<string, Set<string>>();
    writers.set(table, slices.set(slice, (slices.get(slice) ?? new Set()).add(relative(src, path))));
    const only = ofOneFile[table];
    if (only !== undefined && only !== relative(src, path))
      problems.push(`${path} writes ${table}, which only ${only} may write`);
    if (movesVersion(table, text) && !/\bProgramTx\b/.test(text))
      problems.push(`${path} writes ${table}, which is part of the program, without a ProgramTx`);
  }
}

for (const [table, slices] of writers) {
  const others = [...slices.keys()].filter((slice) => !shared[table]?.includes(slice));
  if (others.length < 2) continue;
  const places = [...slices].map(([slice, paths]) => `${slice} (${[...paths].join(', ')})`);
  problems.push(`several slices write ${table}: ${places.join(' and ')}`);
}
for (const [path, read] of readers) {
  const owners = read.map((table) => [...(writers.get(table)?.keys() ?? [])]);
  const alone = owners[0]?.find((slice) => owners.every((each) => each.includes(slice)));
  if (alone !== undefined)
    problems.push(`${path} reads only ${read.join(', ')}; move the read to ${alone}, which owns all of it`);
}
if ([...readers.values()].flat().length < 50)
  problems.push('fewer than 50 tables read by entry points were found; are all files read?');
if (locks < 3) problems.push(`only ${locks} locks of memberships were found in ${lockOfMembers}`);
if (writers.size < 30) problems.push(`only ${writers.size} written tables were found; are all files read?`);
for (const [table, only] of Object.entries(ofOneFile))
  if (![...(writers.get(table)?.values() ?? [])].some((paths) => paths.has(only)))
    problems.push(`${only} no longer writes ${table}; update the list`);
for (const table of Object.keys(shared))
  if ((writers.get(table)?.size ?? 0) < 2)
    problems.push(`${table} is no longer shared; remove it from the list`);

if (problems.length > 0) {
  process.stderr.write(`${problems.sort().join('\n')}\n`);
  process.exit(1);
}
process.stdout.write(`${writers.size} tables, each written by one slice\n`);

/** Returns the tables of the schema that a pattern finds in a file. */
function tablesIn(text: string, patterns: readonly RegExp[]): string[] {
  const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, table]) => table ?? ''));
  return [...new Set(found)].filter((table) => tables.has(table));
}

/**
 * Returns whether a file's writes to a table increase the program's version. Every insert and delete does,
 * and so do updates of relevant columns.
 */
function movesVersion(table: string, text: string): boolean {
  const columns = new Map<string, 'all' | readonly string[]>(Object.entries(programTables)).get(table);
  if (columns === undefined || columns === 'all') return columns === 'all';
  const rows = new RegExp(
    `(insertInto|deleteFrom)\\(\\s*'${table}'|(insert\\s+into|delete\\s+from)\\s+${table}\\b`,
  );
  return rows.test(text) || columns.some((column) => new RegExp(`\\b${column}\\s*[:=]`).test(text));
}
