import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

export interface Target {
  what: string;
  value: number;
  /** The limit, and on which side of it the value must be. */
  limit: number;
  direction: 'at least' | 'at most';
}

/** Prints figures and targets, and writes them as JSON to bench/results/NAME.json. Exit code 1 on a miss. */
export function report(name: string, figures: Record<string, unknown>, targets: readonly Target[]): void {
  const judged = targets.map((target) => ({
    ...target,
    met: target.direction === 'at least' ? target.value >= target.limit : target.value <= target.limit,
  }));
  console.table(figures);
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

export const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
