import { spawnSync } from 'node:child_process';

/** Steps of the gate, fastest first. Every change must pass all of them. */
const steps: readonly (readonly [what: string, command: string, ...args: string[]])[] = [
  ['format and lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['types', 'tsc', '-p', '.'],
  ['types of the sdk, without Node', 'tsc', '-p', 'packages/sdk'],
  ['the dashboard', 'node', 'scripts/build-web.ts'],
  ['types of the dashboard', 'tsc', '-p', 'packages/web'],
  ['texts of the dashboard', 'node', 'scripts/web/strings.ts'],
  ['sizes of the dashboard', 'node', 'scripts/check-sizes.ts'],
  ['import rules', 'node', 'scripts/check-imports.ts'],
  ['dead code', 'knip'],
  ['project rules', 'node', 'scripts/check-style.ts'],
  ['words of the glossary', 'node', 'scripts/check-language.ts'],
  ['one slice writes a table', 'node', 'scripts/check-tables.ts'],
  ['statements route to one publisher', 'node', 'scripts/check-routing.ts'],
  ['new migrations', 'node', 'scripts/check-migrations.ts'],
  ['lockfile', 'node', 'scripts/fix-lockfile.ts', '--check'],
  ['guarantees of the lockfile', 'node', 'scripts/check-lockfile.ts'],
  ['manifests', 'node', 'scripts/check-manifests.ts'],
  ['the Compose file', 'node', 'scripts/check-compose.ts'],
  ['packages of the image', 'node', 'scripts/check-image.ts'],
  ['alerts', 'node', 'scripts/check-alerts.ts'],
  ['documents', 'node', 'scripts/check-docs.ts'],
  ['generated files', 'node', 'scripts/generate.ts', '--check'],
  ['API document', 'npm', 'run', '--silent', 'lint-api'],
  ['the sdk as it is published', 'npm', 'run', '--silent', 'check-package', '-w', 'packages/sdk'],
  ['tests', 'vitest', 'run'],
];

// This option is for callers that have just run the tests, such as .ci/run.
const withoutTests = process.argv.includes('--without-tests');

for (const [what, command, ...args] of steps) {
  if (withoutTests && what === 'tests') continue;
  const startedAt = performance.now();
  process.stdout.write(`\n── ${what}\n`);
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) {
    process.stderr.write(`\ncheck failed: ${what}${error ? ` (${error.message})` : ''}\n`);
    process.exit(1);
  }
  process.stdout.write(`   ok, ${((performance.now() - startedAt) / 1_000).toFixed(1)} s\n`);
}
process.stdout.write('\ncheck passed\n');
