import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { fillBooks } from '../../../../test/fill-books.ts';
import { useMoney } from '../../../../test/money.ts';
import { testActor } from '../../../../test/test-actor.ts';
import { connect } from '../../../../test/test-database.ts';
import { openDatabase } from '../../../platform/database/database.ts';
import { cancelPayout } from '../cancel-payout.ts';
import { createPayout } from './create-payout.ts';

const money = useMoney();
const { makeGroup, earn, settle, patch, number } = money;

const members = 200;
const each = 300;
const ofA = 40_000;
const rowCount = members * each + ofA;

test('a payout of 100,000 rows holds its locks for less than a second, and the same members settle and refund meanwhile', async () => {
  await makeGroup('large');
  await fillBooks(money.db(), 'large', { members, each, ofA, withPurchases: false });
  const { connection } = money.service().testDatabase;
  const database = openDatabase({ connection, poolSize: 2, recordLanes: 1, applicationName: 'large-payout' });
  onTestFinished(() => database.close());
  const watch = await watchLocks(connection);

  let isDone = false;
  const making = createPayout(database.db, testActor, {
    publisherId: 'aurora',
    groupId: 'large',
    currency: null,
    asOf: null,
  }).finally(() => {
    isDone = true;
  });
  const others: number[] = [];
  for (let count = 0; !isDone || count < 3; count += 1) {
    const startedAt = performance.now();
    const row = await earn('large', 'A', 100);
    expect(await settle()).toBe(1);
    expect((await patch(row.transactionId, { form: { action: 'Refund' } })).status).toBe(200);
    others.push(performance.now() - startedAt);
  }
  const [batch] = await making;
  expect(batch).toMatchObject({ rowCount, memberCount: members + 1, totalMinor: BigInt(rowCount) });
  const stamped = sql<{
    n: bigint;
  }>`select count(*) as n from payment where payout_batch_id = ${batch?.batchId}::uuid`;
  expect(await number(stamped)).toBe(BigInt(rowCount));
  expect(await number(sql`select sum(balance_minor) as n from member_balance`)).toBe(0n);

  await cancelPayout(database.db, testActor, {
    publisherId: 'aurora',
    payoutId: batch?.batchId ?? '',
    reason: null,
  });
  expect(await number(stamped)).toBe(0n);
  expect(await number(sql`select sum(balance_minor) as n from member_balance`)).toBe(BigInt(rowCount));
  const { longestMs, samples } = await watch.stop();
  console.info(
    `locks held for ${longestMs} ms at most (${samples} samples), ${others.length} purchases settled and refunded beside it in ${Math.round(Math.max(...others))} ms at most`,
  );
  expect(samples).toBeGreaterThan(20);
  expect(longestMs).toBeLessThan(1_000);
  expect(others.length).toBeGreaterThan(3);
}, 120_000); // eight seconds beside another test file on two cores

/** How long a transaction of the payout that holds locks on rows has been going on, at most. */
async function watchLocks(connection: Parameters<typeof connect>[0]) {
  const client = await connect(connection);
  let isStopping = false;
  let longestMs = 0;
  let samples = 0;
  const running = (async () => {
    while (!isStopping) {
      const { rows } = await client.query<{ ms: number }>(`
        select extract(epoch from clock_timestamp() - a.xact_start)::float8 * 1000 as ms
        from pg_stat_activity a
        where a.application_name = 'large-payout'
          and exists (
            select
            from pg_locks l
            where l.pid = a.pid and l.granted
              and (l.locktype = 'advisory' or l.mode in ('RowShareLock', 'RowExclusiveLock')))`);
      samples += rows.length;
      for (const { ms } of rows) longestMs = Math.max(longestMs, Math.round(ms));
      await sleep(10);
    }
  })();
  return {
    async stop() {
      isStopping = true;
      await running;
      return { longestMs, samples };
    },
  };
}
