import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type BenchService, memberCount, skuCount } from './bench-service.ts';
import { hasProgram, run } from './load.ts';

/**
 * Creates the tables of a minimal recorder, for comparison: a table of keys that make each purchase unique,
 * and a table of wide rows with three indexes. The recorder has no rollups, shares or checks.
 */
export async function makePlainTables(client: pg.Client): Promise<void> {
  await client.query(`
    create table plain_claim (publisher_id text, transaction_id text, primary key (publisher_id, transaction_id));
    create table plain_row (
      row_id uuid primary key default uuidv7(), publisher_id text not null, transaction_id text not null,
      split_index smallint not null, group_id text not null, member_id uuid not null, code text not null,
      description text not null, status text not null, is_test boolean not null, origin text not null,
      subtotal_minor bigint not null, currency text not null, total_minor bigint not null, total_currency text not null,
      transaction_date timestamptz not null, platform text, player_id text, sku_id text, tier_id uuid,
      tier_share_millionths integer, sku_share_millionths integer, group_share_millionths integer not null
    );
    create index plain_row_by_group on plain_row (publisher_id, group_id, transaction_date);
    create index plain_row_by_member on plain_row (publisher_id, member_id, transaction_date)`);
}

const columns = `publisher_id, transaction_id, split_index, group_id, member_id, code, description, status, is_test, origin,
  subtotal_minor, currency, total_minor, total_currency, transaction_date, platform, player_id, sku_id, tier_id,
  tier_share_millionths, sku_share_millionths, group_share_millionths`;

/**
 * SQL expressions for a row's values: a random id, member and player numbers, a price, a time, and possibly a
 * SKU.
 */
interface Values {
  id: string;
  member: string;
  price: string;
  player: string;
  at?: string;
  sku?: string;
}

const values = ({ id, member, price, player, at = 'now()', sku = 'null' }: Values): string =>
  `'bench', ${id}, 0, 'main', lpad(${member}, 32, '0')::uuid, 'CODE' || ${member}, 'Battle pass', 'Normal', false, 'api',
   ${price}, 'USD', ${price}, 'USD', ${at}, 'PC', 'player-' || ${player}, ${sku}, null, null, null, 100000`;

/**
 * Runs transactions from 64 clients. Each transaction inserts a key and a row.
 * @returns the number of transactions and the seconds taken
 */
export function plainTransactions(
  service: BenchService,
  seconds: number,
): Promise<{ rows: number; seconds: number }> {
  return hasProgram('pgbench') ? withPgbench(service, seconds) : withDriver(service, seconds);
}

const clients = 64;

/** Runs the inserts with pgbench. Ids are random nineteen-digit numbers, the cheapest text that pgbench can generate. */
async function withPgbench({ socketDirectory }: BenchService, seconds: number) {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-pgbench-'));
  const script = join(folder, 'plain.sql');
  const row = values({ id: ':id', member: ':member', price: ':price', player: ':player' });
  writeFileSync(
    script,
    `\\set id random(1000000000000000000, 9223372036854775807)
\\set member random(0, ${memberCount - 1})
\\set price random(99, 9999)
\\set player random(0, 99999)
begin;
insert into plain_claim values ('bench', :id);
insert into plain_row (${columns}) values (${row});
commit;
`.replaceAll(/,\n\s+/g, ', '),
  );
  try {
    const output = await run(
      'pgbench',
      [
        '-n',
        '-M',
        'prepared',
        '-c',
        String(clients),
        '-j',
        '1',
        '-T',
        String(seconds),
        '-f',
        script,
        'attribution',
      ],
      { PGHOST: socketDirectory, PGUSER: 'attribution_owner', PGAPPNAME: 'pgbench' },
    );
    const rows = /transactions actually processed: (\d+)/.exec(output)?.[1];
    const perSecond = /tps = ([\d.]+)/.exec(output)?.[1];
    if (rows === undefined || perSecond === undefined)
      throw new Error(`pgbench did not print a rate: ${output}`);
    return { rows: Number(rows), seconds: Number(rows) / Number(perSecond) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withDriver({ socketDirectory }: BenchService, seconds: number) {
  const pool = new pg.Pool({
    host: socketDirectory,
    user: 'attribution_owner',
    database: 'attribution',
    application_name: 'pgbench',
    max: clients,
  });
  const row = values({ id: '$1::text', member: '$2::text', price: '$3::bigint', player: '$4::text' });
  const startedAtMs = performance.now();
  let rows = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const connection = await pool.connect();
      while (performance.now() < startedAtMs + seconds * 1_000) {
        const id = String(randomInt(2 ** 47)) + String(randomInt(1e5));
        await connection.query('begin');
        await connection.query({
          name: 'claim',
          text: "insert into plain_claim values ('bench', $1)",
          values: [id],
        });
        await connection.query({
          name: 'row',
          text: `insert into plain_row (${columns}) values (${row})`,
          values: [id, randomInt(memberCount), randomInt(99, 9_999), randomInt(100_000)],
        });
        await connection.query('commit');
        rows += 1;
      }
      connection.release();
    }),
  );
  const elapsed = (performance.now() - startedAtMs) / 1_000;
  await pool.end();
  return { rows, seconds: elapsed };
}

/** Creates source rows in their own table, so that the measurement does not include creating them. */
export async function makePlainSource(client: pg.Client, rows: number): Promise<void> {
  await client.query(`
    create temp table plain_source as
    select substr(md5(random()::text || n), 1, 20) as id, (random() * ${memberCount - 1})::int::text as member,
           99 + (random() * 9900)::int as price, (random() * 99999)::int::text as player,
           now() + n * interval '50 microseconds' as at, case when n % 4 = 0 then 'SKU' || (random() * ${skuCount - 1})::int end as sku
    from generate_series(1, ${rows}) n`);
}

/** Saves all keys and rows from the source with one statement. */
export async function insertPlainRows(client: pg.Client): Promise<{ rows: number; seconds: number }> {
  const row = values({
    id: 's.id',
    member: 's.member',
    price: 's.price',
    player: 's.player',
    at: 's.at',
    sku: 's.sku',
  });
  const startedAtMs = performance.now();
  const { rowCount } = await client.query(`
    with claimed as (insert into plain_claim select 'bench', s.id from plain_source s)
    insert into plain_row (${columns}) select ${row} from plain_source s`);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  await client.query('drop table plain_source');
  return { rows: rowCount ?? 0, seconds };
}
