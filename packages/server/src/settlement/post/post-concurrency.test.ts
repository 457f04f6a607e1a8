import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/attribution-process.ts';
import { purchase } from '../../../test/fixtures.ts';
import { killWaiting, settleAll, settleSet, useMoney } from '../../../test/money.ts';
import { connect } from '../../../test/test-database.ts';
import { woken } from '../../../test/woken.ts';
import { recordingOf } from '../../attributions/posted.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { takeCutoff } from '../payouts/create/payout-cutoff.ts';
import { lockForPosting } from '../settlement-lock.ts';
import { startPosting } from './posting-worker.ts';

const money = useMoney();
const { record, settle, query, number, db, patch } = money;
afterEach(() => money.expectSound());

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Records purchases in sets of `size`. Each set is one entry in the posting queue. */
const recordMany = async (sets: number, size: number, changes: Record<string, unknown> = {}) => {
  for (let set = 0; set < sets; set += 1) {
    const rows = times(size, (index) =>
      purchase({
        code: index % 3 === 0 ? 'BOB' : 'ALICE',
        transactionDate: '2024-05-01T00:00:00Z',
        ...changes,
      }),
    );
    expect((await record(rows)).status).toBe(200);
  }
};
const waiting = () => number(sql`select coalesce(sum(row_count), 0) as n from unposted`);
const postedRows = () => number(sql`select coalesce(sum(all_count), 0) as n from transaction_count`);

describe('each row is posted exactly once', () => {
  test('by many workers, for several publishers, with concurrent status changes', async () => {
    const before = await postedRows();
    await recordMany(24, 50);
    const rival = { key: money.keys().rival };
    for (let set = 0; set < 6; set += 1) {
      const rows = times(50, () => purchase({ code: 'RIVAL' }));
      expect((await record(rows, rival)).status).toBe(200);
    }
    const { body } = await money.list('pageSize=40&sort=transactionDate:desc');
    const refunds = body.map(({ transaction }: { transaction: { transactionId: string } }) =>
      patch(transaction.transactionId, { form: { action: 'Refund' } }),
    );
    const posted = await Promise.all(times(8, () => settleAll(db())));
    for (const { status } of await Promise.all(refunds)) expect(status).toBe(200);
    expect(posted.reduce((sum, rows) => sum + rows, 0) + (await settle())).toBe(1_500);
    expect((await postedRows()) - before).toBe(1_500n);
    expect(await waiting()).toBe(0n);
    expect(
      await number(sql`select count(*) as n from payment where reversed_at is not null`),
    ).toBeGreaterThanOrEqual(40n);
  });

  test('when another worker has locked a recording, which others skip', async () => {
    await recordMany(1, 10);
    const client = await connect(money.service().testDatabase.connection);
    await client.query('begin');
    await client.query('select from unposted for update');
    expect(await settle()).toBe(0);
    await recordMany(1, 7);
    expect(await settle()).toBe(7);
    await client.query('rollback');
    expect(await settle()).toBe(10);
  });

  test.each([
    ['before anything is written', 'select from membership for update'],
    ['when entries are written', 'select from member_balance for update'],
    ["when members' rollups are written", 'select from earning_rollup for update'],
    ["when groups' rollups are written", 'select from group_rollup for update'],
    ['when everything but the counts is written', 'select from transaction_count for update'],
  ])('when a worker is killed %s', async (_when, lock) => {
    await recordMany(1, 5);
    await settle();
    const before = await postedRows();
    const balance = await money.balance('BOB');
    await recordMany(3, 5);
    const client = await connect(money.service().testDatabase.connection);
    await client.query('begin');
    await client.query(lock);
    const crashed = expect(settleSet(db(), 'aurora')).rejects.toThrow();
    await killWaiting(db());
    await crashed;
    expect(await postedRows()).toBe(before);
    expect(await waiting()).toBe(15n);
    await client.query('rollback');
    expect(await settle()).toBe(15);
    expect(await settle()).toBe(0);
    expect(await postedRows()).toBe(before + 15n);
    expect(await money.balance('BOB')).toBe(balance + 3n * 2n * 100n); // 10% of 999, twice per set
  });

  test('when a status change is reversing it', async () => {
    const { body } = await record(purchase({ code: 'BOB' }));
    const before = await money.balance('BOB');
    const client = await connect(money.service().testDatabase.connection);
    await client.query('begin');
    // Like a status change, this transaction locks the row's member first.
    await client.query(
      'select 1 from membership join attribution using (publisher_id, membership_id) where attribution_id = $1 for no key update of membership',
      [body.transaction.id],
    );
    await client.query(
      `insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, reversed_at)
       select publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, now()
       from attribution
       where attribution_id = $1`,
      [body.transaction.id],
    );
    await client.query(
      `insert into refund_record (publisher_id, refund_id, attribution_id, action, reverses_money)
       values ('aurora', gen_random_uuid(), $1, 'Refund', true)`,
      [body.transaction.id],
    );
    await client.query("update attribution set status = 'Refund' where attribution_id = $1", [
      body.transaction.id,
    ]);
    const posting = settle();
    expect(await Promise.race([posting, sleep(200, 'waiting')])).toBe('waiting');
    await client.query('commit');
    expect(await posting).toBe(1);
    expect(await money.balance('BOB')).toBe(before);
  });
});

test("a payout's cutoff waits for postings in progress, and later postings come after it", async () => {
  let finish = (): void => undefined;
  const inProgress = inTransaction(db(), async (tx) => {
    await lockForPosting(tx, 'aurora');
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
  });
  await until('the lock', async () => {
    const locks = sql<{ n: bigint }>`select count(*) as n from pg_locks where locktype = 'advisory'`;
    return (await number(locks)) > 0n;
  });
  const cutoff = takeCutoff(db(), 'aurora', 'main');
  expect(await Promise.race([cutoff, sleep(100, 'waiting')])).toBe('waiting');
  expect(await takeCutoff(db(), 'rival', 'main')).toBeInstanceOf(Date);
  finish();
  await inProgress;
  const asOf = await cutoff;
  await recordMany(1, 5);
  await settle();
  expect(
    await number(sql`
      select count(*) as n
      from posting
      where posted_at > ${asOf}
        and recording_ids = array(select ${recordingOf('attribution_id')} from attribution order by attribution_id desc limit 1)`),
  ).toBe(1n);
});

test('sums beyond 64 bits do not overflow', async () => {
  const huge = Number.MAX_SAFE_INTEGER;
  await recordMany(3, 1_000, { subtotal: huge, currency: 'KWD', memberSharePercent: 100, code: 'BOB' });
  expect(await settle()).toBe(3_000);
  const total = 3_000n * BigInt(huge);
  expect(total).toBeGreaterThan(2n ** 63n);
  expect(await money.balance('BOB', 'KWD')).toBe(total);
  expect(await number(sql`select sum(gross_minor) as n from earning_rollup where currency = 'KWD'`)).toBe(
    total,
  );
  await money.create('main');
  const batches = await query(sql<{ total_minor: string }>`
    select total_minor from payout_batch where currency = 'KWD'`);
  expect(batches.map(({ total_minor }) => BigInt(total_minor))).toEqual([total]);
});

describe('the worker', () => {
  test('posts new rows, reports their number, and stops', async () => {
    const counts: number[] = [];
    const errors: unknown[] = [];
    const worker = woken(
      db(),
      startPosting({
        db: db(),
        postRows: settleSet,
        intervalMs: 10,
        onPosted: (rows) => counts.push(rows),
        onError: (error) => errors.push(error),
      }),
    );
    await recordMany(2, 10);
    await until('20 rows to be posted', async () => (await waiting()) === 0n);
    await recordMany(1, 3);
    await until('3 more rows to be posted', async () => (await waiting()) === 0n);
    await worker.stop();
    expect(counts.reduce((sum, rows) => sum + rows, 0)).toBe(23);
    expect(errors).toEqual([]);
    await recordMany(1, 1);
    await sleep(50);
    expect(await waiting()).toBe(1n);
    await settle();
  });

  test('continues after a crash, and a publisher that cannot be posted does not delay others', async () => {
    await recordMany(1, 3);
    expect((await record(purchase({ code: 'RIVAL' }), { key: money.keys().rival })).status).toBe(200);
    const ofPublisher = (publisherId: string): RawBuilder<{ n: bigint }> =>
      sql`select count(*) as n from unposted where publisher_id = ${publisherId}`;
    const client = await connect(money.service().testDatabase.connection);
    await client.query('begin');
    await client.query("select from membership where publisher_id = 'aurora' for update");
    const errors: unknown[] = [];
    const worker = woken(
      db(),
      startPosting({
        db: db(),
        postRows: settleSet,
        intervalMs: 10,
        onPosted: () => undefined,
        onError: (error) => errors.push(error),
      }),
    );
    await killWaiting(db());
    await until('the other publisher', async () => (await number(ofPublisher('rival'))) === 0n);
    await until('the error to be reported', () => errors.length > 0);
    expect(await number(ofPublisher('aurora'))).toBe(1n);
    await client.query('rollback');
    await until('the blocked publisher', async () => (await waiting()) === 0n);
    await worker.stop();
  });
});
