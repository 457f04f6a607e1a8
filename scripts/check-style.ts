import { globSync, readFileSync } from 'node:fs';
import { slices } from './slices.ts';

/** Project rules that no linter provides. */
const rules: readonly { name: string; pattern: RegExp; allowedIn: RegExp }[] = [
  {
    name: 'the time comes from clock.ts (durations from performance.now)',
    pattern: /\bDate\.now\(\)|new Date\(\)/,
    // A browser uses its own clock, but never for decisions.
    allowedIn: /platform\/clock\.ts$|^packages\/web\//,
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
  {
    name: 'the dashboard recognizes an error by its code (codeOf), and shows its text by ErrorText (ui/error-notice.tsx)',
    pattern:
      /\.message\b|\bmessage\b[^{}\n]*\} = (?:error|failure|thrown)\b|\bString\((?:error|failure|thrown)\)|\b(?:error|failure|thrown)\.toString\b|\$\{(?:error|failure|thrown)\}/,
    allowedIn: /^packages\/(?!web\/)|ui\/error-notice\.tsx$/,
  },
];

/** Errors thrown by entry points. Slices throw a Refusal. */
const entryPointErrors = /\b(?:ApiError|OperatorError)\b/;
const inSlice = new RegExp(`^packages/server/src/(?:${slices.join('|')})/`);

const problems: string[] = [];
for (const path of globSync('packages/*/src/**/*.{ts,tsx}')) {
  if (/\.generated\.ts$|\.test\.tsx?$|^packages\/web\/src\/client\//.test(path)) continue;
  const text = readFileSync(path, 'utf8');
  for (const { name, pattern, allowedIn } of rules) {
    if (pattern.test(text) && !allowedIn.test(path)) problems.push(`${path}: ${name}`);
  }
  if (inSlice.test(path) && entryPointErrors.test(text))
    problems.push(
      `${path}: a slice must reject with a Refusal (platform/refusal.ts), which every entry point handles`,
    );
}
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}
