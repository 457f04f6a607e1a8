import { randomUUID } from 'node:crypto';
import { serviceActor } from '../packages/server/src/audit/actor.ts';
import { applyProgramFile } from '../packages/server/src/program-file/apply-program.ts';
import { readProgramFile } from '../packages/server/src/program-file/read-program.ts';
import { type BenchService, openBenchDatabase, startBenchService } from './lib/bench-service.ts';
import { median, report } from './lib/report.ts';

/**
 * Listing, measured at 10 thousand and at 3 million rows (`BENCH_ROWS=10000000` for more) of two publishers
 * in one database: pages of 500, the first, one in the middle, and one filtered by member. What is
 * compared is the large against the small one, asked in turn.
 */
const smallRows = 10_000;
const largeRows = Number(process.env.BENCH_ROWS ?? 3_000_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 60);
const members = 10;
const path = '/v1/attributions/transactions';

interface Publisher {
  name: string;
  rows: number;
  key: string;
  /** A cursor in the middle of the listing. */
  middle: string;
}

const service = await startBenchService();
try {
  const small = await fill(service, 'small', smallRows);
  const large = await fill(service, 'large', largeRows);
  const figures: Record<string, string> = {};
  const targets = [];
  for (const [what, query] of [
    ['first page', () => ''],
    ['page in the middle', ({ middle }: Publisher) => `&cursor=${middle}`],
    ['first page of a member', ({ name }: Publisher) => `&memberId=${name}_3`],
  ] as const) {
    const times = { small: [] as number[], large: [] as number[] };
    for (let round = 0; round < rounds + 10; round += 1) {
      for (const publisher of [small, large]) {
        const ms = await timePage(service, publisher, `?pageSize=500${query(publisher)}`);
        if (round >= 10) times[publisher === small ? 'small' : 'large'].push(ms);
      }
    }
    const [smallMs, largeMs] = [median(times.small), median(times.large)];
    figures[`${what}, ${smallRows} rows, ms`] = smallMs.toFixed(2);
    figures[`${what}, ${largeRows} rows, ms`] = largeMs.toFixed(2);
    targets.push({
      what: `${what}: large / small`,
      value: largeMs / smallMs,
      limit: 1.3,
      direction: 'at most' as const,
    });
  }
  report('list', figures, targets);
} finally {
  await service.stop();
}

async function fill(service: BenchService, name: string, rows: number): Promise<Publisher> {
  const program = {
    publisher: { id: name, apiKeys: [{ name: 'backend', kind: 'secret' }] },
    groups: [
      {
        id: 'main',
        revShare: 10,
        members: Array.from({ length: members }, (_, n) => ({ id: `${name}_${n}`, playerId: `p-${n}` })),
      },
    ],
  };
  const database = openBenchDatabase(service);
  const { keys } = await applyProgramFile(
    database.db,
    serviceActor,
    readProgramFile(JSON.stringify(program), `${name}.json`),
  );
  await database.close();
  const step = 250_000;
  for (let from = 0; from < rows; from += step) {
    await service.client.query(
      `insert into attribution (publisher_id, attribution_id, transaction_id, split_index, group_id, membership_id, code,
         description, status, is_test, origin, subtotal_minor, currency, total_minor, total_currency, transaction_date,
         platform, player_id, group_share_millionths)
       select $1, uuidv7(), $4 || n, 0, 'main', m.membership_id, 'CODE' || n % ${members}, 'Battle pass', 'Normal', false,
         'api', 999, 'USD', 999, 'USD', timestamptz '2026-01-01T00:00:00Z' + n * interval '1 second', 'PC', 'player-' || n % 10000, 100000
       from generate_series($2::int, $3::int - 1) n
       join (select membership_id, row_number() over (order by account_id) - 1 as i from membership where publisher_id = $1) m
         on m.i = n % ${members}
       order by n`,
      [name, from, Math.min(rows, from + step), randomUUID().slice(0, 8)],
    );
  }
  await service.client.query('vacuum analyze attribution');
  console.log(`${name}: ${rows} rows`);
  const key = keys[0]?.key ?? '';
  return { name, rows, key, middle: await walkToMiddle(service, key, rows) };
}

async function walkToMiddle(service: BenchService, key: string, rows: number): Promise<string> {
  let cursor = '';
  for (let seen = 0; seen < rows / 2; seen += 1_000) {
    const response = await get(service, key, `?pageSize=1000${cursor === '' ? '' : `&cursor=${cursor}`}`);
    cursor = response.headers.get('x-next-cursor') ?? '';
    await response.arrayBuffer();
  }
  return cursor;
}

async function timePage(service: BenchService, { key }: Publisher, query: string): Promise<number> {
  const startedAtMs = performance.now();
  const response = await get(service, key, query);
  const body = await response.text();
  const ms = performance.now() - startedAtMs;
  if (response.status !== 200 || body.length < 100_000)
    throw new Error(`not a full page: ${response.status} ${body.slice(0, 200)}`);
  return ms;
}

function get({ url }: BenchService, key: string, query: string): Promise<Response> {
  return fetch(url + path + query, { headers: { 'x-shared-secret': key } });
}
