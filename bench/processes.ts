import { findPgBouncer, startPgBouncer } from '../packages/server/test/pgbouncer.ts';
import type { BenchService, OtherService } from './lib/bench-service.ts';
import { createLoad } from './lib/load.ts';
import { median, report } from './lib/report.ts';
import { waitUntilPosted } from './lib/rows.ts';
import { withBenchService } from './lib/with-service.ts';

/**
 * Measures the gain from running several processes on one database, and the cost of a pooler. Sends single
 * creates from 64 connections to one, two and four processes, with ports of their own and behind one port, and to one process behind a pooler, with and
 * without named statements. The setups alternate in rounds. The figures are ratios to one process without a
 * pooler (docs/scaling.md).
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 6);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const connections = 64;

interface Setup {
  name: string;
  urls: readonly string[];
}

interface Measured {
  rowsPerSecond: number;
  p99Ms: number;
  databaseConnections: number;
  failures: number;
}

await withBenchService({ maxMinutes: 20 }, async (service) => {
  const others: OtherService[] = [];
  for (let n = 1; n < 4; n += 1) others.push(await service.startAnother());
  const [second, third, fourth] = others.map(({ url }) => url);
  const setups: Setup[] = [
    { name: '1 process', urls: [service.url] },
    { name: '2 processes', urls: [service.url, second ?? ''] },
    { name: '4 processes', urls: [service.url, second ?? '', third ?? '', fourth ?? ''] },
  ];
  for (const count of ['2', '4']) {
    const together = await service.startAnother({ PROCESSES: count });
    others.push(together);
    setups.push({ name: `PROCESSES=${count}`, urls: [together.url] });
  }
  const pooled = await behindPooler(service);
  setups.push(...pooled.setups);
  const measured = new Map<string, Measured[]>();
  for (const { urls } of setups) await measure(service, urls, 1);
  for (let round = 1; round <= rounds; round += 1)
    for (const { name, urls } of setups)
      measured.set(name, [...(measured.get(name) ?? []), await measure(service, urls, seconds)]);
  const one = median((measured.get('1 process') ?? []).map(({ rowsPerSecond }) => rowsPerSecond));
  const figures = Object.fromEntries(
    [...measured].map(([name, all]) => {
      const rate = median(all.map(({ rowsPerSecond }) => rowsPerSecond));
      return [
        name,
        {
          'purchases/s': Math.round(rate),
          'of one process': (rate / one).toFixed(2),
          'p99 ms': Math.round(median(all.map(({ p99Ms }) => p99Ms))),
          'connections to the database': Math.max(...all.map((each) => each.databaseConnections)),
          failures: all.reduce((sum, { failures }) => sum + failures, 0),
        },
      ];
    }),
  );
  report('processes', figures, []);
  await Promise.all([...others, ...pooled.others].map((other) => other.stop()));
  await pooled.stop();
});

/** Measures the same load on any number of processes, including the time until everything is posted. */
async function measure(
  { client, key }: BenchService,
  urls: readonly string[],
  forSeconds: number,
): Promise<Measured> {
  const startedAt = performance.now();
  const loads = urls.map((url) =>
    createLoad({ url, key, connections: connections / urls.length, seconds: forSeconds, entries: 1 }),
  );
  await new Promise((resolve) => setTimeout(resolve, forSeconds * 500));
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const results = await Promise.all(loads);
  await waitUntilPosted(client, 60);
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  return {
    rowsPerSecond: results.reduce((sum, result) => sum + result.rows, 0) / tookSeconds,
    p99Ms: Math.max(...results.map(({ p99Ms }) => p99Ms)),
    databaseConnections: rows[0]?.n ?? 0,
    failures: results.reduce((sum, { failures }) => sum + failures, 0),
  };
}

async function behindPooler(
  service: BenchService,
): Promise<{ setups: Setup[]; others: OtherService[]; stop: () => Promise<void> }> {
  const program = findPgBouncer();
  if (program === null) {
    console.log('PgBouncer is not installed, so the runs with a pooler are skipped');
    return { setups: [], others: [], stop: async () => undefined };
  }
  const as = (user: string) => ({ host: service.socketDirectory, user, database: 'attribution' });
  const pooler = await startPgBouncer(program, {
    connection: as('attribution'),
    ownerConnection: as('attribution_owner'),
  });
  const others: OtherService[] = [];
  const setups: Setup[] = [];
  for (const [name, prepared] of [
    ['behind PgBouncer, without names', 'false'],
    ['behind PgBouncer, with names', 'true'],
  ] as const) {
    const other = await service.startAnother({
      DATABASE_URL: pooler.url,
      DATABASE_PREPARED_STATEMENTS: prepared,
    });
    others.push(other);
    setups.push({ name, urls: [other.url] });
  }
  return { setups, others, stop: pooler.stop };
}
