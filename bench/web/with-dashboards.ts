import type { BenchService } from '../lib/bench-service.ts';
import { median } from '../lib/report.ts';
import { type Sustained, sustain } from '../lib/sustained.ts';
import { openDashboards } from './dashboards.ts';
import { logProgress } from './progress.ts';
import type { Staff } from './staff.ts';

export const dashboards = 20;
const seconds = Number(process.env.BENCH_SECONDS ?? 8);
const rounds = Number(process.env.BENCH_ROUNDS ?? 4);

export interface WithDashboards {
  alone: Sustained[];
  watched: Sustained[];
  /**
   * Median, over the rounds, of the recording rate with dashboards divided by the recording rate without
   * dashboards. Each round measures both rates back to back.
   */
  ratio: number;
  requestsPerSecond: number;
}

/** Measures recording with and without open dashboards, alternating which comes first. */
export async function measureWithDashboards(
  service: BenchService,
  staff: readonly Staff[],
): Promise<WithDashboards> {
  const alone: Sustained[] = [];
  const watched: Sustained[] = [];
  let requests = 0;
  const measure = () => sustain(service, { connections: 64, entries: 1, seconds });
  const measureAlone = async (): Promise<void> => {
    alone.push(await measure());
  };
  const measureWatched = async (): Promise<void> => {
    const open = await openDashboards(staff, dashboards);
    const before = open.requestCount();
    watched.push(await measure());
    requests += open.requestCount() - before;
    await open.stop();
  };
  await measure();
  for (let round = 0; round < rounds; round += 1) {
    const turns = [measureAlone, measureWatched];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    logProgress(
      `round ${round + 1} of ${rounds}: ${Math.round(alone.at(-1)?.rowsPerSecond ?? 0)} purchases per second alone, ` +
        `${Math.round(watched.at(-1)?.rowsPerSecond ?? 0)} with ${dashboards} dashboards`,
    );
  }
  const took = watched.reduce((sum, each) => sum + each.seconds + each.drainSeconds, 0);
  return {
    alone,
    watched,
    ratio: median(watched.map((each, round) => each.rowsPerSecond / (alone[round]?.rowsPerSecond ?? 0))),
    requestsPerSecond: requests / took,
  };
}
