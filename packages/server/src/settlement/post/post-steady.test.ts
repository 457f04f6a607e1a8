import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { settleAll, useMoney } from '../../../test/money.ts';
import { connect } from '../../../test/test-database.ts';
import { backgroundLimits } from '../../platform/database/connections/limits.ts';
import { type Database, openDatabase } from '../../platform/database/database.ts';

const money = useMoney();
let posting: Database;

const members = 40;
const codes = Array.from({ length: members }, (_, n) => `STEADY${n}`);

beforeAll(async () => {
  const steady = codes.map((code) => `{ id: acc_${code}, codes: [ { code: ${code} } ] }`);
  await money.provisionGroup('main', `members: [ ${steady.join(', ')} ]`);
  // This single connection caches plans made for empty tables. None of its statements may be slow.
  posting = openDatabase({
    connection: money.service().testDatabase.connection,
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'posting',
    limits: { ...backgroundLimits, statementMs: 2_000 },
  });
});
afterAll(() => posting.close());

const rowsOfRequest = 100;
const requestsAtOnce = 8;

async function recordRows(key: string, codes: readonly string[], count: number): Promise<void> {
  const list = () =>
    Array.from({ length: rowsOfRequest }, (_, n) => purchase({ code: codes[n % codes.length] }));
  for (let left = count; left > 0; left -= rowsOfRequest * requestsAtOnce) {
    const answers = await Promise.all(
      Array.from({ length: requestsAtOnce }, () => money.record(list(), { key })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  }
}

async function load(key: string, codes: readonly string[]): Promise<void> {
  const recording = recordRows(key, codes, 4_000).then(() => 'done');
  while ((await Promise.race([recording, sleep(10)])) !== 'done') await settleAll(posting.db);
  await settleAll(posting.db);
}

async function blocks(): Promise<bigint> {
  // Connections report their statistics once per second, or when forced to.
  await sql`select pg_stat_force_next_flush()`.execute(posting.db);
  return money.number(sql`
    select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0)) as n
    from pg_statio_user_tables`);
}

const backlog = 12_000;

/** @returns the rate, and the number of blocks read per row */
async function postBacklog(key: string, codes: readonly string[]) {
  await recordRows(key, codes, backlog);
  await sleep(1_100); // until recording's connections have reported their statistics
  const before = await blocks();
  const startedAtMs = performance.now();
  expect(await settleAll(posting.db)).toBe(backlog);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  return { rowsPerSecond: backlog / seconds, blocksPerRow: Number((await blocks()) - before) / backlog };
}

test('posting has a steady rate, from empty tables and without analyze', async () => {
  const owner = await connect(money.service().testDatabase.ownerConnection);
  await owner.query(`
    do $$ begin
      execute (select string_agg(format('alter table %s set (autovacuum_enabled = off)', oid::regclass), '; ')
               from pg_class
               where relkind = 'r' and relnamespace = 'public'::regnamespace);
    end $$`);
  const { rival, backend } = money.keys();

  await load(rival, ['RIVAL']);
  const neverAnalyzed = await postBacklog(rival, ['RIVAL']);
  // The statistics contain no rows of this publisher.
  await owner.query('analyze');
  await load(backend, codes);
  const newPublisher = await postBacklog(backend, codes);
  await owner.query('analyze');
  const known = await postBacklog(backend, codes);

  // A lookup by key reads one or two blocks. Scanning an index for each row reads hundreds.
  for (const { blocksPerRow } of [neverAnalyzed, newPublisher, known]) expect(blocksPerRow).toBeLessThan(5);
  for (const { rowsPerSecond } of [neverAnalyzed, newPublisher])
    expect(rowsPerSecond).toBeGreaterThan(known.rowsPerSecond / 4);
  await money.expectSound();
});
