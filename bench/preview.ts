import { openBenchDatabase } from './lib/bench-service.ts';
import { median, report } from './lib/report.ts';
import { settingsForMillions, withBenchService } from './lib/with-service.ts';
import { creators, groupId, holdDays, makeCreators, makeUnpaid, publisherId } from './preview/unpaid.ts';
import { lightLoad } from './web/light-load.ts';
import { logProgress } from './web/progress.ts';
import { requestedRows } from './web/requested-rows.ts';
import { type Staff, signIn } from './web/staff.ts';

/**
 * Measures the first payout preview of a publisher with many unpaid purchases, a million by default (`--rows 5m`), of
 * 2,000 creators in three currencies over 60 days. Some are refunded, refunded in part or on hold, and purchases of
 * earlier days are paid, some of them clawed back. The baseline is a plain sum of shares by creator and currency over
 * the same rows.
 */
const rows = requestedRows(process.argv, 1_000_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const limitMs = 2_000;

await withBenchService({ settings: settingsForMillions, maxMinutes: 45 }, async (service) => {
  const database = openBenchDatabase(service);
  logProgress(`storing ${rows} unpaid purchases of ${creators} creators`);
  await makeCreators(database);
  const made = await makeUnpaid(service, database, rows);
  await service.client.query('vacuum analyze');
  const owner = await signIn(service.url, database, 'owner-1');
  await database.close();

  const plainMs: number[] = [];
  const firstMs: number[] = [];
  const busyMs: number[] = [];
  await previewFirst(owner, service); // warms up the cache
  for (let round = 0; round < rounds; round += 1) {
    plainMs.push(await timed(() => sumPlainly(service)));
    firstMs.push(await timed(() => previewFirst(owner, service)));
  }
  const load = lightLoad(service);
  for (let round = 0; round < rounds; round += 1)
    busyMs.push(await timed(() => previewFirst(owner, service)));
  const came = await load.stop();

  report(
    'preview',
    {
      'unpaid purchases past the hold period': rows,
      'purchases refunded, held or clawed back': made,
      'first preview, ms': shown(firstMs),
      'first preview while purchases come in, ms': shown(busyMs),
      'purchases that came in meanwhile': `${came.sent}, refused ${came.refused}`,
      'plain sum by creator and currency, ms': shown(plainMs),
    },
    [
      { what: 'first preview, ms', value: median(firstMs), limit: limitMs, direction: 'at most' },
      {
        what: 'first preview while purchases come in, ms',
        value: median(busyMs),
        limit: limitMs,
        direction: 'at most',
      },
      {
        what: 'first preview / plain sum',
        value: median(firstMs.map((ms, round) => ms / (plainMs[round] ?? 0))),
        limit: 2,
        direction: 'at most',
      },
    ],
  );
});

type Service = Parameters<Parameters<typeof withBenchService>[1]>[0];

/** Requests a preview that isn't cached. Changing the group's terms makes all earlier previews outdated. */
async function previewFirst(owner: Staff, { client }: Service): Promise<void> {
  await client.query(
    `update creator_group set terms_changed_at = date_trunc('milliseconds', clock_timestamp())
     where publisher_id = $1 and group_id = $2`,
    [publisherId, groupId],
  );
  const answer = await owner.ask(`/payouts/preview?group=${groupId}`);
  const { totals } = (await answer.json()) as { totals: { due: { memberCount: number } }[] };
  if (totals.length === 0) throw new Error('the preview is empty');
}

/** Adds up the shares, as a publisher would without the service. */
async function sumPlainly({ client }: Service): Promise<void> {
  await client.query(
    `select membership_id, currency, sum(share_minor)
     from attribution
     where publisher_id = $1 and group_id = $2 and status = 'Normal' and transaction_date <= now() - $3::int * interval '1 day'
     group by 1, 2`,
    [publisherId, groupId, holdDays],
  );
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}

function shown(all: readonly number[]): string {
  return all.map((ms) => ms.toFixed(0)).join(', ');
}
