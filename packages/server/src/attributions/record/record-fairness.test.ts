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

/** Somebody keeps purchases of aurora to himself, as a transaction that does not end. */
async function keeping<Result>(
  transactionIds: readonly string[],
  work: () => Promise<Result>,
  { record, service }: Transactions = transactions,
): Promise<Result> {
  const known = purchase();
  await record(known);
  const somebody = await connect(service().testDatabase.connection);
  await somebody.query('begin');
  for (const transactionId of transactionIds) {
    await somebody.query(
      `insert into attribution
       select (jsonb_populate_record(a, jsonb_build_object('transaction_id', $2::text, 'attribution_id', gen_random_uuid()))).*
       from attribution a where publisher_id = 'aurora' and transaction_id = $1`,
      [known.transactionId, transactionId],
    );
  }
  try {
    return await work();
  } finally {
    await somebody.query('rollback');
  }
}

describe('a publisher is neither refused nor kept waiting', () => {
  test("by another one's long lists, which are refused past their publisher's share", async () => {
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

  test("by another one's commits that wait for a lock, and its queue that is full for it", async () => {
    const kept = [purchase(), purchase(), purchase()];
    const waiting = await keeping(
      kept.map(({ transactionId }) => transactionId),
      async () => {
        // One after the other, so that each has a commit of its own; the third has no lane.
        const held = [];
        for (const each of kept) {
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

test('a purchase does not wait for another one of its publisher, whose commit waits for a lock', async () => {
  const kept = purchase();
  const [held] = await keeping([kept.transactionId], async () => {
    const held = record(kept);
    await recordQuietly(); // so that it has a commit of its own
    for (let count = 0; count < 3; count += 1) expect((await record(purchase())).status).toBe(200);
    expect(await Promise.race([held, record(purchase()).then(() => 'the other one')])).toBe('the other one');
    return [held];
  });
  expect((await held)?.status).toBe(200);
});

describe('an answer comes within the time that a request may take', () => {
  const hasty = useTransactions({ database: { requestMs: 600 } });

  test('whatever its commit waits for, and whatever it waits behind', async () => {
    const kept = [purchase(), purchase(), purchase()];
    const startedAtMs = performance.now();
    const answers = await keeping(
      kept.map(({ transactionId }) => transactionId),
      () => Promise.all([...kept, list(300)].map((each) => hasty.record(each))),
      hasty,
    );
    expect(statusesOf(answers)).toEqual([503, 503, 503, 503]);
    // Before the database itself gives up waiting for the lock, after two seconds.
    expect(performance.now() - startedAtMs).toBeLessThan(1_900);
    // Nothing is left behind of them.
    expect((await hasty.record(purchase())).status).toBe(200);
  });
});
