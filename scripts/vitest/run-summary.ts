import type { Reporter, TestModule } from 'vitest/node';

const shown = 10;

/**
 * Reporter that prints the tests that passed only on the second try and, after a run of many files, the slowest files.
 */
export class RunSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    printFlaky(modules);
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
