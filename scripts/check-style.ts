import { globSync, readFileSync } from 'node:fs';

/** Rules of this project that no linter knows. */
const rules: readonly { name: string; pattern: RegExp; allowedIn: RegExp }[] = [
  {
    name: 'process.env is read by config.ts alone',
    pattern: /process\.env\b/,
    allowedIn: /platform\/config\.ts$/,
  },
  {
    name: 'the time comes from clock.ts (durations from performance.now)',
    pattern: /\bDate\.now\(\)|new Date\(\)/,
    allowedIn: /platform\/clock\.ts$/,
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
];

const maxLines = 400;
const problems: string[] = [];
for (const path of globSync('packages/*/src/**/*.{ts,tsx}')) {
  if (/\.generated\.ts$|\.test\.tsx?$/.test(path)) continue;
  const text = readFileSync(path, 'utf8');
  for (const { name, pattern, allowedIn } of rules) {
    if (pattern.test(text) && !allowedIn.test(path)) problems.push(`${path}: ${name}`);
  }
  const lines = text.split('\n').length;
  if (lines > maxLines) problems.push(`${path}: ${lines} lines; is it two things?`);
}
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}
