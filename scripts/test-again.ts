/**
 * Runs the test files that failed in the last run again, one at a time. On a busy machine, a test can fail because
 * something took too long. Alone, only a real failure remains. The exit code is 0 if all of them passed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { failedFilesPath } from './vitest/failed-files.ts';

/** With more, the machine isn't the reason, and running them again would take too long. */
const maxFiles = 12;

function main(): number {
  if (!existsSync(failedFilesPath)) {
    console.error('No list of failed test files that could be run again.');
    return 1;
  }
  const files = readFileSync(failedFilesPath, 'utf8')
    .split('\n')
    .map((file) => relative('.', file));
  if (files.length > maxFiles) {
    console.error(`${files.length} test files failed. At most ${maxFiles} are run again.`);
    return 1;
  }
  console.info(`Running ${files.length} failed test files again, one at a time:\n  ${files.join('\n  ')}`);
  const { status } = spawnSync('npx', ['vitest', 'run', '--maxWorkers=1', ...files], { stdio: 'inherit' });
  if (status === 0) console.info(`Passed only when run alone:\n  ${files.join('\n  ')}`);
  return status ?? 1;
}

process.exitCode = main();
