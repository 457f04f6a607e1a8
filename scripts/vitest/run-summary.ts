import { rmSync, writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { failedFilesPath } from './failed-files.ts';

const shown = 10;

/**
 * Reporter that prints the tests that passed only on the second try and, after a run of many files, the slowest files.
 * It saves which files failed, so that `npm run test:again` can run them alone.
 */
export class RunSummary implements Reporter {
  onTestRunStart(): void {
    rmSync(failedFilesPath, { force: true });
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    printFlaky(modules);
    saveFailed(modules, errors);
    if (modules.length <= shown) return;
    const slowest = modules
      .map((module) => ({ file: module.relativeModuleId, ms: msOf(module) }))
      .toSorted((one, other) => other.ms - one.ms)
      .slice(0, shown);
    process.stdout.write(`\nThe ${shown} slowest of ${modules.length} files, in seconds:\n`);
    for (const { file, ms } of slowest)
      process.stdout.write(`${(ms / 1_000).toFixed(1).padStart(7)}  ${file}\n`);
  }
}

function msOf(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic();
  return collectDuration + duration;
}

function printFlaky(modules: readonly TestModule[]): void {
  const flaky = modules.flatMap((module) =>
    [...module.children.allTests('passed')]
      .filter((test) => test.diagnostic()?.flaky === true)
      .map((test) => `${module.relativeModuleId} > ${test.fullName}`),
  );
  if (flaky.length === 0) return;
  process.stdout.write('\nPassed only on the second try:\n');
  for (const name of flaky) process.stdout.write(`  ${name}\n`);
}

function saveFailed(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
  const failed = new Set(modules.filter((module) => !module.ok()).map((module) => module.moduleId));
  const isOfFailed = (error: SerializedError) => failed.has(String(error.VITEST_TEST_PATH));
  // An error outside these files wouldn't be seen if only they ran again.
  if (failed.size > 0 && errors.every(isOfFailed)) writeFileSync(failedFilesPath, [...failed].join('\n'));
}
