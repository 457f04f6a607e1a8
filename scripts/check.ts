import { spawnSync } from 'node:child_process';
import { steps } from './gate-steps.ts';

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
