import type pg from 'pg';
import { composeOperations } from '../packages/server/src/composition.ts';
import { systemClock } from '../packages/server/src/platform/clock.ts';
import { type BenchService, openBenchDatabase, startBenchService } from './lib/bench-service.ts';
import { createLoad } from './lib/load.ts';
import { median, report } from './lib/report.ts';
import { addRows, drained, enqueue, waiting } from './lib/rows.ts';

/**
 * Settlement, measured against the database itself: rows a second of settling a backlog, and of one
 * `update … from` that touches the same rows; and what catching up with a large backlog does to recording.
 */
const rows = Number(process.env.BENCH_ROWS ?? 200_000);
const backlogRows = Number(process.env.BENCH_BACKLOG ?? 1_000_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const seconds = Number(process.env.BENCH_SECONDS ?? 8);

async function main(): Promise<void> {
  // The service's own worker looks once a minute, so that the backlogs below wait for whom they are meant.
  process.env.SETTLE_INTERVAL_MS = '60000';
  const alone = await startBenchService();
  const operations = composeOperations(systemClock);
  const rates = { settle: [] as number[], update: [] as number[] };
  try {
    const database = openBenchDatabase(alone);
    for (let round = 1; round <= rounds; round += 1) {
      await addRows(alone.client, 'bench', `round-${round}`, rows);
      rates.update.push(rows / (await timed(() => updateRows(alone.client, `round-${round}`))));
      await enqueue(alone.client, 'bench', `round-${round}`);
      await alone.client.query('checkpoint').catch(() => undefined);
      rates.settle.push(
        rows /
          (await timed(async () => {
            for (let left = rows; left > 0; ) {
              const settled = await operations.settleRows(database.db, 'bench');
              if (settled === 0) throw new Error('somebody else settled the backlog');
              left -= settled;
            }
          })),
      );
      console.log(`round ${round} of ${rounds} done`);
    }
    await database.close();
  } finally {
    await alone.stop();
  }

  process.env.SETTLE_INTERVAL_MS = '100';
  const service = await startBenchService();
  try {
    await load(service, 'warm-up', 3);
    const quiet: number[] = [];
    const busy: number[] = [];
    quiet.push(await load(service, 'quiet-1', seconds));
    await drained(service.client);
    await addRows(service.client, 'bench', 'backlog', backlogRows);
    await enqueue(service.client, 'bench', 'backlog');
    for (let round = 1; (await waiting(service.client)) > 0 && round <= 20; round += 1) {
      const rate = await load(service, `busy-${round}`, seconds);
      if ((await waiting(service.client)) > 0) busy.push(rate);
    }
    await drained(service.client);
    quiet.push(await load(service, 'quiet-2', seconds));
    const [settle, update] = [median(rates.settle), median(rates.update)];
    const [quietRate, busyRate] = [median(quiet), median(busy)];
    report(
      'settle',
      {
        'rows settled per second': Math.round(settle),
        'rows of one update … from per second': Math.round(update),
        'single creates per second, nothing to settle': Math.round(quietRate),
        [`single creates per second, catching up with ${backlogRows} rows`]: Math.round(busyRate),
      },
      [
        { what: 'settling / update … from', value: settle / update, limit: 0.3, direction: 'at least' },
        { what: 'rows settled per second (aim)', value: settle, limit: 20_000, direction: 'at least' },
        {
          what: 'recording while catching up / without',
          value: busyRate / quietRate,
          limit: 2 / 3,
          direction: 'at least',
        },
      ],
    );
  } finally {
    await service.stop();
  }
}

/** What a settlement that kept its result in the row itself would do at the least. */
async function updateRows(client: pg.Client, name: string): Promise<void> {
  await client.query(
    `update attribution a
     set sku_share_millionths = null, player_name = 'settled'
     from membership m
     where a.publisher_id = 'bench' and m.publisher_id = 'bench' and m.membership_id = a.membership_id
       and a.transaction_id like $1 || '-%'`,
    [name],
  );
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return (performance.now() - startedAtMs) / 1_000;
}

async function load({ url, key }: BenchService, name: string, duration: number): Promise<number> {
  const result = await createLoad({ url, key, connections: 64, seconds: duration, entries: 1, name });
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
  return result.requestsPerSecond;
}

await main();
