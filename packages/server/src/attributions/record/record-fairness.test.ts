import { describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { connect } from '../../../test/test-database.ts';
import type { Answer } from '../../../test/test-service.ts';
import { type Transactions, useTransactions } from '../../../test/transactions.ts';

const transactions = useTransactions({ environment: { RECORD_QUEUE_ROWS: '1000' } });
const { service, keys, record } = transactions;

const list = (length: number): Record<string, unknown>[] => Array.from({ length }, () => purchase());
const statusesOf = (answers: Answer[]): number[] => answers.map(({ status }) => status).sort();
const recordQuietly = (): Promise<Answer> => record(purchase({ code: 'RIVAL' }), { key: keys().rival });
const isReady = async (): Promise<boolean> => (await fetch(`${service().url}/readyz`)).ok;

/** Runs `work` while an open transaction holds locks on the keys of some purchases. */
async function holdingLocks<Result>(
  transactionIds: readonly string[],
  work: () => Promise<Result>,
  { record, service }: Transactions = transactions,
): Promise<Result> {
  const known = purchase();
  await record(known);
  const holder = await connect(service().testDatabase.connection);
  await holder.query('begin');
  for (const transactionId of transactionIds) {
    await holder.query(
      `insert into attribution
       select (jsonb_populate_record(a, jsonb_build_object('transaction_id', $2::text, 'attribution_id', gen_random_uuid()))).*
       from attribution a where publisher_id = 'aurora' and transaction_id = $1`,
      [known.transactionId, transactionId],
    );
  }
  try {
    return await work();
  } finally {
    await holder.query('rollback');
  }
}

describe('a publisher is neither rejected nor delayed', () => {
  test("by another publisher's long lists, which are rejected beyond its share", async () => {
    const isOver = { value: false };
    const refused: Answer[] = [];
    const busy = Array.from({ length: 10 }, async () => {
      while (!isOver.value) {
        const answer = await record(list(250));
        if (answer.status !== 200) refused.push(answer);
      }
    });
    const quiet: Answer[] = [];
    for (let count = 0; count < 12; count += 1) {
      quiet.push(await recordQuietly());
      if (count % 4 === 0) expect(await isReady()).toBe(true);
    }
    isOver.value = true;
    await Promise.all(busy);
    expect(statusesOf(quiet)).toEqual(Array(12).fill(200));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ status: 503, body: { message: expect.stringContaining('waiting') } });
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
  });

  test("by another publisher's commits that wait for a lock, or by its full queue", async () => {
    const locked = [purchase(), purchase(), purchase()];
    const waiting = await holdingLocks(
      locked.map(({ transactionId }) => transactionId),
      async () => {
        // The requests are sent one after another, so that each has its own commit. No lane is free for the
        // third request.
        const held = [];
        for (const each of locked) {
          held.push(record(each));
          expect((await recordQuietly()).status).toBe(200);
        }
        held.push(record(list(400)), record(list(300)));
        expect((await recordQuietly()).status).toBe(200);
        expect((await record(list(299))).status).toBe(503);
        expect(await isReady()).toBe(true);
        const first = await Promise.race([...held, recordQuietly().then(() => 'the quiet one')]);
        expect(first).toBe('the quiet one');
        return held;
      },
    );
    expect(statusesOf(await Promise.all(waiting))).toEqual([200, 200, 200, 200, 200]);
  });
});

test("a purchase doesn't wait for another purchase of its publisher whose commit waits for a lock", async () => {
  const locked = purchase();
  const [held] = await holdingLocks([locked.transactionId], async () => {
    const held = record(locked);
    await recordQuietly(); // so that the held request has its own commit
    for (let count = 0; count < 3; count += 1) expect((await record(purchase())).status).toBe(200);
    expect(await Promise.race([held, record(purchase()).then(() => 'the other one')])).toBe('the other one');
    return [held];
  });
  expect((await held)?.status).toBe(200);
});

describe('answers before the request deadline', () => {
  const hasty = useTransactions({ database: { requestMs: 600 } });

  test('whether its commit waits for a lock or it waits in the queue', async () => {
    const locked = [purchase(), purchase(), purchase()];
    const startedAtMs = performance.now();
    const answers = await holdingLocks(
      locked.map(({ transactionId }) => transactionId),
      () => Promise.all([...locked, list(300)].map((each) => hasty.record(each))),
      hasty,
    );
    expect(statusesOf(answers)).toEqual([503, 503, 503, 503]);
    // The rejection comes before the database's lock timeout of two seconds.
    expect(performance.now() - startedAtMs).toBeLessThan(1_900);
    // The rejected requests leave no rows behind.
    expect((await hasty.record(purchase())).status).toBe(200);
  });
});
