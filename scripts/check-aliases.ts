import { globSync, readFileSync } from 'node:fs';

/**
 * Whoever reads a statement knows its tables by their aliases: a table has one letter everywhere, those that CONTRIBUTING
 * lists, or where it needs another name, a word.
 */
const src = 'packages/server/src';

const guide = readFileSync('CONTRIBUTING.md', 'utf8');
const list = /A table has one alias[\s\S]*?Where it stands twice/.exec(guide)?.[0] ?? '';
const aliases = new Map(
  [...list.matchAll(/`(\w+)\s+(\w)`/g)].map(([, table = '', alias = '']) => [table, alias]),
);
if (aliases.size < 30) throw new Error('CONTRIBUTING.md no longer lists the aliases where they were');

const tables = new Set(
  [
    ...readFileSync(`${src}/platform/database/tables.generated.ts`, 'utf8').matchAll(
      /^ {2}(\w+): [A-Z]\w+;$/gm,
    ),
  ].map(([, table = '']) => table),
);
const problems = [...aliases.keys()]
  .filter((table) => !tables.has(table))
  .map((table) => `CONTRIBUTING.md: there is no table ${table}`);

/** What follows a table and is no alias is a word of SQL, and those that could stand there have two letters or more. */
const named = [/\b(?:from|join|update|using)\s+(\w+)\s+(?:as\s+)?(\w)\b(?!\()/g, /'(\w+) as (\w)'/g];
let seen = 0;
for (const path of globSync(`${src}/**/*.ts`)) {
  if (/\.generated\.ts$|\.test\.ts$/.test(path)) continue;
  const text = readFileSync(path, 'utf8');
  for (const [, table = '', alias = ''] of named.flatMap((pattern) => [...text.matchAll(pattern)])) {
    if (!tables.has(table)) continue;
    seen += 1;
    if (aliases.get(table) !== alias)
      problems.push(`${path}: ${table} is called ${alias}, and elsewhere ${aliases.get(table) ?? 'nothing'}`);
  }
}
if (seen < 100) problems.push(`only ${seen} aliases were seen; are all files read?`);

if (problems.length > 0) {
  process.stderr.write(`${problems.sort().join('\n')}\n`);
  process.exit(1);
}
process.stdout.write(`${seen} aliases, one for each table\n`);
