import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

export interface Target {
  what: string;
  value: number;
  /** Limit for the value. `direction` says on which side of the limit the value must be. */
  limit: number;
  direction: 'at least' | 'at most';
}

/**
 * Prints figures and targets, and writes them as JSON to bench/results/NAME.json. Sets the exit code to 1 if
 * a target is missed.
 */
export function report(name: string, figures: Record<string, unknown>, targets: readonly Target[]): void {
  const judged = targets.map((target) => ({
    ...target,
    met: target.direction === 'at least' ? target.value >= target.limit : target.value <= target.limit,
  }));
  if (Object.values(figures).every((figure) => typeof figure === 'object')) console.table(figures);
  else for (const [what, figure] of Object.entries(figures)) console.log(`${what}: ${figure}`);
  for (const { what, value, limit, direction, met } of judged) {
    console.log(`${met ? 'met   ' : 'MISSED'} ${what}: ${value.toFixed(2)} (${direction} ${limit})`);
  }
  const folder = new URL('../results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const machine = { node: process.version, cpus: cpus().length, model: cpus()[0]?.model };
  writeFileSync(
    new URL(`${name}.json`, folder),
    `${JSON.stringify({ machine, figures, targets: judged }, null, 2)}\n`,
  );
  console.log(`written to bench/results/${name}.json`);
  if (judged.some(({ met }) => !met)) process.exitCode = 1;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}
