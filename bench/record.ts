import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type BenchService, startBenchService } from './lib/bench-service.ts';
import { createLoad, hasProgram, run } from './lib/load.ts';
import { median, report } from './lib/report.ts';

/**
 * Recording, measured against the database itself in one run on one database:
 * (a) a plain transaction of two inserts, the purchase claim and the row, from 32 clients;
 * (b) single creates from 64 connections, all checks on;
 * (c) creates of 500 entries;
 * (d) one `insert … select`, the ceiling of what the table takes.
 * Rounds interleave them, and medians are compared, because machines drift. Settlement waits meanwhile;
 * bench/settle.ts measures what it does to recording.
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 8);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const ceilingRows = 200_000;

/** The row that every contender inserts, with the values that (b) and (c) send. */
const rowColumns = `publisher_id, attribution_id, transaction_id, split_index, group_id, membership_id, code, description,
  status, is_test, origin, subtotal_minor, currency, total_minor, total_currency, transaction_date, platform, player_id,
  tier_id, tier_share_millionths, group_share_millionths`;

const insertRow = (transactionId: string, n: string): string => `
  insert into attribution (${rowColumns})
  select 'bench', uuidv7(), ${transactionId}, 0, 'main', membership_id, code, 'Battle pass', 'Normal', false, 'api',
         999, 'USD', 999, 'USD', '2026-05-01T12:00:00Z', 'PC', 'player-1', null, null, 100000
  from bench_member where n = ${n}`;

process.env.SETTLE_INTERVAL_MS ??= '60000';
const service = await startBenchService();
try {
  await service.client.query(
    'create table bench_claim (publisher_id text, transaction_id text, primary key (publisher_id, transaction_id))',
  );
  const results = {
    plain: [] as number[],
    single: [] as Load[],
    array: [] as Load[],
    ceiling: [] as number[],
  };
  await single(service, 'warm-up', 3);
  for (let round = 1; round <= rounds; round += 1) {
    results.plain.push(await plainTransactions(service, round));
    results.single.push(await single(service, `single-${round}`, seconds));
    results.array.push(await arrays(service, `array-${round}`));
    results.ceiling.push(await ceiling(service.client, round));
    console.log(`round ${round} of ${rounds} done`);
  }
  const plain = median(results.plain);
  const singles = median(results.single.map(({ requestsPerSecond }) => requestsPerSecond));
  const p99 = median(results.single.map(({ p99Ms }) => p99Ms));
  const rows = median(results.array.map(({ requestsPerSecond }) => requestsPerSecond * 500));
  const top = median(results.ceiling);
  const memory = service.peakMemoryMiB();
  const failures = [...results.single, ...results.array].reduce((sum, each) => sum + each.failures, 0);
  report(
    'record',
    {
      '(a) plain two-insert transactions, 32 clients, per second': Math.round(plain),
      '(b) single creates, 64 connections, per second': Math.round(singles),
      '(b) p50 ms': median(results.single.map(({ p50Ms }) => p50Ms)).toFixed(1),
      '(b) p99 ms': p99.toFixed(1),
      '(c) rows per second in creates of 500': Math.round(rows),
      '(c) p50 ms of a create of 500': median(results.array.map(({ p50Ms }) => p50Ms)).toFixed(1),
      '(c) p99 ms of a create of 500': median(results.array.map(({ p99Ms }) => p99Ms)).toFixed(1),
      '(d) rows per second of one insert … select': Math.round(top),
      'peak memory of the server, MiB': memory ?? 'unknown',
      'failed requests': failures,
      tools: `${hasProgram('pgbench') ? 'pgbench' : 'pg driver'}, ${results.single[0]?.tool}`,
    },
    [
      { what: '(b) / (a)', value: singles / plain, limit: 1.5, direction: 'at least' },
      { what: '(b) p99 in ms', value: p99, limit: 50, direction: 'at most' },
      { what: '(c) / (d)', value: rows / top, limit: 0.4, direction: 'at least' },
      { what: 'server memory in MiB', value: memory ?? 0, limit: 250, direction: 'at most' },
      { what: 'failed requests', value: failures, limit: 0, direction: 'at most' },
    ],
  );
} finally {
  await service.stop();
}

type Load = Awaited<ReturnType<typeof createLoad>>;

function single({ url, key }: BenchService, name: string, duration: number): Promise<Load> {
  return createLoad({ url, key, connections: 64, seconds: duration, entries: 1, name });
}

function arrays({ url, key }: BenchService, name: string): Promise<Load> {
  return createLoad({ url, key, connections: 4, seconds, entries: 500, name });
}

async function plainTransactions(service: BenchService, round: number): Promise<number> {
  const memberships = await service.client.query(
    "select membership_id, 'CODE' || row_number() over () as code from membership order by membership_id limit 100",
  );
  await service.client.query('drop table if exists bench_member');
  await service.client.query(
    'create table bench_member (n integer primary key, membership_id uuid, code text)',
  );
  for (const [n, { membership_id, code }] of memberships.rows.entries()) {
    await service.client.query('insert into bench_member values ($1, $2, $3)', [n, membership_id, code]);
  }
  return hasProgram('pgbench') ? withPgbench(service, round) : withDriver(service, round);
}

async function withPgbench({ socketDirectory }: BenchService, round: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-pgbench-'));
  const script = join(folder, 'plain.sql');
  const id = `'plain-${round}-' || :client_id || '-' || :n || '-' || :m`;
  writeFileSync(
    script,
    `\\set n random(1, 1000000000)
\\set m random(1, 1000000000)
\\set k random(0, 99)
begin;
insert into bench_claim values ('bench', ${id});
${insertRow(id, ':k').replaceAll('\n', ' ')};
commit;
`,
  );
  try {
    const output = await run(
      'pgbench',
      ['-n', '-M', 'prepared', '-c', '32', '-j', '2', '-T', String(seconds), '-f', script, 'attribution'],
      { PGHOST: socketDirectory, PGUSER: 'attribution_owner' },
    );
    const found = /tps = ([\d.]+)/.exec(output)?.[1];
    if (found === undefined) throw new Error(`pgbench printed no rate: ${output}`);
    return Number(found);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withDriver({ socketDirectory }: BenchService, round: number): Promise<number> {
  const pool = new pg.Pool({
    host: socketDirectory,
    user: 'attribution_owner',
    database: 'attribution',
    max: 32,
  });
  const endMs = performance.now() + seconds * 1_000;
  let done = 0;
  await Promise.all(
    Array.from({ length: 32 }, async (_, client) => {
      const connection = await pool.connect();
      for (let n = 0; performance.now() < endMs; n += 1) {
        const id = `plain-${round}-${client}-${n}`;
        await connection.query('begin');
        await connection.query({
          name: 'claim',
          text: "insert into bench_claim values ('bench', $1)",
          values: [id],
        });
        await connection.query({ name: 'row', text: insertRow('$1::text', '$2'), values: [id, n % 100] });
        await connection.query('commit');
        done += 1;
      }
      connection.release();
    }),
  );
  await pool.end();
  return done / seconds;
}

async function ceiling(client: pg.Client, round: number): Promise<number> {
  const startedAtMs = performance.now();
  await client.query(
    `insert into attribution (${rowColumns})
     select 'bench', uuidv7(), 'ceiling-${round}-' || s, 0, 'main', membership_id, code, 'Battle pass', 'Normal', false,
            'api', 999, 'USD', 999, 'USD', timestamptz '2026-05-01T12:00:00Z' + s * interval '1 millisecond', 'PC',
            'player-' || s % 10000, null, null, 100000
     from generate_series(1, ${ceilingRows}) s
     join bench_member m on m.n = s % 100`,
  );
  return ceilingRows / ((performance.now() - startedAtMs) / 1_000);
}
