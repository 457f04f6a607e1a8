import { globSync, readFileSync } from 'node:fs';
import { rooms } from './rooms.ts';

/** Rules of this project that no linter knows. */
const rules: readonly { name: string; pattern: RegExp; allowedIn: RegExp }[] = [
  {
    name: 'process.env is read by config.ts alone',
    pattern: /process\.env\b/,
    // A page has none; a snippet that it shows speaks of the reader's own.
    allowedIn: /platform\/config\.ts$|^packages\/web\/src\//,
  },
  {
    name: 'the time comes from clock.ts (durations from performance.now)',
    pattern: /\bDate\.now\(\)|new Date\(\)/,
    // A browser has its own clock, and decides nothing by it.
    allowedIn: /platform\/clock\.ts$|^packages\/web\//,
  },
  {
    name: 'no default exports, enums or namespaces',
    pattern: /^export default|^(export )?(const )?enum |^(export )?namespace /m,
    allowedIn: /^$/,
  },
  {
    name: 'a hint names a command as it can be typed (platform/program-name.ts)',
    pattern:
      /^(?! *(?:\*|\/)).*(?<!npx )\battribution (?:serve|migrate|provision|doctor|explain|secrets rotate|(?:auth-codes|keys|members|webhooks|payouts|ledger|bounties|audit)\b)/m,
    allowedIn: /^$/,
  },
  {
    name: 'a form begins with noValidate, and says itself what is missing (ui/use-complete.ts)',
    pattern: /<form\b(?!\s+noValidate\b)/,
    allowedIn: /^packages\/(?!web\/)/,
  },
];

/** What the doors say to those outside; a room says a Refusal. */
const wordsOfDoors = /\b(?:ApiError|OperatorError)\b/;
const roomsAlone = new RegExp(`^packages/server/src/(?:${rooms.join('|')})/`);

const maxLines = 400;
const problems: string[] = [];
for (const path of globSync('packages/*/src/**/*.{ts,tsx}')) {
  if (/\.generated\.ts$|\.test\.tsx?$|^packages\/web\/src\/client\//.test(path)) continue;
  const text = readFileSync(path, 'utf8');
  for (const { name, pattern, allowedIn } of rules) {
    if (pattern.test(text) && !allowedIn.test(path)) problems.push(`${path}: ${name}`);
  }
  if (roomsAlone.test(path) && wordsOfDoors.test(text))
    problems.push(`${path}: a slice refuses with a Refusal (platform/refusal.ts), for every door alike`);
  const lines = text.split('\n').length;
  if (lines > maxLines) problems.push(`${path}: ${lines} lines; is it two things?`);
}
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}
