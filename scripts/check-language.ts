import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * Counts the words and forms that docs/glossary.md rules out. Each kind has a ceiling that may only fall. The
 * check fails if a count is above its ceiling, and also if it is below, so that progress isn't lost.
 * `--lower` lowers the ceilings, and `--list KIND` prints each occurrence.
 */
const ceilingsPath = 'scripts/language-ceilings.json';

const kinds: Readonly<Record<string, RegExp>> = {
  'doc comments without a verb or noun first':
    /\/\*\*[\s*]*(?:What|Who|Whose|Whether|How|Of|The same|So|Those|One that|Where)\b/g,
  // Also matches names, such as `ProgrammeTx`. The column keeps its name, because versions that run side by
  // side share it.
  programme: /programme(?!_version|[rd])/gi,
  'mend (fix)': /\bmend(?:s|ed|ing)?\b/gi,
  // Matches only a separate word; words such as timestamp are allowed.
  'stamp (assign)': /\bstamp(?:s|ed|ing)?\b/gi,
  // Alone in quotes, `nobody` is the system's user.
  'nobody, somebody, anybody, everybody': /(?<![`'](?=nobody[`']))\b(?:no|some|any|every)body\b/gi,
  'whoever, whomever': /\bwho(?:m)?ever\b/gi,
  'whence (actor)': /\bwhence\b/gi,
  'stranger (unauthenticated client)': /\bstrangers?\b/gi,
  'door (entry point)': /\bdoors?\b/gi,
  'anew (again, or the change by name)': /\banew\b/gi,
  'reckon (calculate)': /\breckon(?:s|ed|ing)?\b/gi,
  'ask again (retry, resend, reload)': /\bask(?:s|ed|ing)? again\b/gi,
  'for ever (forever)': /\bfor ever\b/gi,
  'a mail (an email)': /\ba mail\b(?! (?:server|client|scanner|service|system))/g,
  'belong to nothing (not refer to anything)': /\bbelongs? to nothing\b/gi,
  'the permission `…` (the `…` permission)': /\bthe permission `/gi,
  'lost race (stale edit)': /\blost[- ]?race\b/gi,
  'most… (max…)': /\bmost[A-Z]\w*/g,
  'British spelling':
    /\b(?:catalogue|colour|behaviour|neighbour|favour|honour|licence|centre|grey)(?:s|ed)?\b/gi,
};

const released = readFileSync('.squawk.toml', 'utf8');
const paths = globSync([
  'packages/*/src/**/*.{ts,tsx,css}',
  'packages/server/migrations/*.sql',
  '{scripts,bench}/**/*.{ts,js}',
  'docs/*.md',
])
  // Generated or released files, and files that list the words themselves.
  .filter((path) => !/\.(?:generated|gen)\.ts$|^packages\/web\/src\/client\//.test(path))
  .filter((path) => !released.includes(`"${path}"`))
  .filter((path) => !['scripts/check-language.ts', 'docs/glossary.md'].includes(path))
  .sort();

const texts = paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const { values: options } = parseArgs({ options: { list: { type: 'string' }, lower: { type: 'boolean' } } });

if (options.list !== undefined) {
  const pattern = kinds[options.list];
  if (pattern === undefined) throw new Error(`--list takes one of: ${Object.keys(kinds).join('; ')}`);
  for (const { path, text } of texts)
    for (const { index, 0: found } of text.matchAll(pattern))
      process.stdout.write(
        `${path}:${text.slice(0, index).split('\n').length}: ${found.replaceAll(/\s+/g, ' ')}\n`,
      );
  process.exit();
}

const ceilings = JSON.parse(readFileSync(ceilingsPath, 'utf8')) as Record<string, number>;
const counts = Object.entries(kinds).map(([kind, pattern]) => ({
  kind,
  count: texts.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0),
  ceiling: ceilings[kind] ?? 0,
}));
const above = counts.filter(({ count, ceiling }) => count > ceiling);
const below = counts.filter(({ count, ceiling }) => count < ceiling);

if (options.lower === true && below.length > 0) {
  const lowered = counts.map(({ kind, count, ceiling }) => [kind, Math.min(count, ceiling)]);
  writeFileSync(ceilingsPath, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`);
}
fail([
  ...above.map(
    ({ kind, count, ceiling }) =>
      `${kind}: ${count}, and the ceiling is ${ceiling}. Use the words in docs/glossary.md; ` +
      `\`node scripts/check-language.ts --list '${kind}'\` shows each place.`,
  ),
  ...(options.lower === true ? [] : below).map(
    ({ kind, count, ceiling }) =>
      `${kind}: ${count}, and the ceiling is ${ceiling}. Lower the ceiling: \`node scripts/check-language.ts --lower\`.`,
  ),
]);
process.stdout.write(
  `${texts.length} files, ${counts.reduce((sum, { count }) => sum + count, 0)} places left\n`,
);

function fail(problems: readonly string[]): void {
  if (problems.length === 0) return;
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}
