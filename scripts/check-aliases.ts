import { globSync, readFileSync } from 'node:fs';

/**
 * Checks that a table has the same alias in every statement: the letter listed in CONTRIBUTING, or a word if the statement
 * needs another name.
 */
const src = 'packages/server/src';

const guide = readFileSync('CONTRIBUTING.md', 'utf8');
const list = /A table has one alias[\s\S]*?If a table appears twice/.exec(guide)?.[0] ?? '';
const aliases = new Map(
  [...list.matchAll(/`(\w+)\s+(\w)`/g)].map(([, table = '', alias = '']) => [table, alias]),
);
if (aliases.size < 30) throw new Error('The list of aliases was not found in CONTRIBUTING.md');

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

/** Patterns for a table with a one-letter alias. SQL keywords that can follow a table have two or more letters. */
const named = [/\b(?:from|join|update|using)\s+(\w+)\s+(?:as\s+)?(\w)\b(?!\()/g, /'(\w+) as (\w)'/g];
let seen = 0;
for (const path of globSync(`${src}/**/*.ts`)) {
  if (/\.generated\.ts$|\.test\.ts$/.test(path)) continue;
  const text = readFileSync(path, 'utf8');
  for (const [, table = '', alias = ''] of named.flatMap((pattern) => [...text.matchAll(pattern)])) {
    if (!tables.has(table)) continue;
    seen += 1;
    if (aliases.get(table) !== alias)
      problems.push(
        `${path}: ${table} has the alias ${alias}, and elsewhere ${aliases.get(table) ?? 'none'}`,
      );
  }
}
if (seen < 100) problems.push(`only ${seen} aliases were found; are all files read?`);

if (problems.length > 0) {
  process.stderr.write(`${problems.sort().join('\n')}\n`);
  process.exit(1);
}
process.stdout.write(`${seen} aliases, one for each table\n`);
