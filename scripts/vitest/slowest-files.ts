import type { Reporter, TestModule } from 'vitest/node';

const shown = 10;

/** Reporter that prints the slowest test files after a run of many files. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
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
