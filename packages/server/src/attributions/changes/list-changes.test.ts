import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { useMoney } from '../../../test/money.ts';
import type { Answer } from '../../../test/test-service.ts';
import { transactionPath, transactionsPath } from '../../../test/transactions.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { newRecordingId, rowIdOf } from '../recording-id.ts';
import { beginChange } from './mark-change.ts';

const { service, keys, db, settle, record } = useMoney();

interface Changed {
  transactionId: string;
  status: string;
  createdAt: string;
  updatedAt: string;
}

const call = (query: string, key = keys().backend): Promise<Answer> =>
  service().call('GET', `${transactionsPath}?${query}`, { key });
const patch = (transactionId: string, form: Record<string, string>) =>
  service().call('PATCH', transactionPath(transactionId), { key: keys().backend, form });
/** Waits until readers have passed the current time. Readers stay a second behind the clock. */
const pass = () => new Promise((resolve) => setTimeout(resolve, 1_100));
const now = () => new Date().toISOString();

async function walk(since: string, query = 'pageSize=1000'): Promise<Changed[]> {
  const rows: Changed[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await call(`updatedSince=${encodeURIComponent(since)}&${query}&cursor=${cursor}`);
    expect(answer.status, answer.text).toBe(200);
    rows.push(...answer.body.map(({ transaction }: { transaction: Changed }) => transaction));
    cursor = answer.headers.get('x-next-cursor');
  }
  return rows;
}

const idsOf = (rows: readonly Changed[]) => rows.map(({ transactionId }) => transactionId);
const recordOne = async (changes: Record<string, unknown> = {}): Promise<string> => {
  const { transactionId } = (await record(purchase(changes))).body.transaction;
  return transactionId;
};

describe('updatedSince', () => {
  test('returns recorded rows in order, as soon as they are posted', async () => {
    const since = now();
    const ids = [await recordOne(), await recordOne(), await recordOne()];
    await pass();
    expect(await walk(since)).toEqual([]);
    await settle();
    const rows = await walk(since);
    expect(idsOf(rows)).toEqual(ids);
    for (const { createdAt, updatedAt } of rows) expect(updatedAt).toBe(createdAt);
    expect(idsOf(await walk(since, 'pageSize=1'))).toEqual(ids);
    expect(idsOf(await walk(rows[1]?.updatedAt ?? ''))).toEqual(ids.slice(1));
  });

  test('returns each row that was refunded or has a new buyer once, at its last change', async () => {
    const since = now();
    const ids = [await recordOne(), await recordOne(), await recordOne()];
    await settle();
    await pass();
    const changed = now();
    await patch(ids[1] ?? '', { action: 'Refund' });
    await patch(ids[0] ?? '', { playerId: 'another' });
    await patch(ids[1] ?? '', { action: 'Fraud' });
    await patch(ids[2] ?? '', { playerId: 'buyer', action: 'Refund' });
    await patch(ids[2] ?? '', { action: 'Refund' }); // doesn't change the row
    await pass();
    const rows = await walk(changed);
    expect(idsOf(rows)).toEqual([ids[0], ids[1], ids[2]]);
    expect(rows.map(({ status }) => status)).toEqual(['Normal', 'Fraud', 'Refund']);
    const times = rows.map(({ updatedAt }) => updatedAt);
    expect(times).toEqual([...times].sort());
    expect(times.every((time) => time >= changed)).toBe(true);
    expect(idsOf(await walk(since, 'pageSize=2'))).toEqual(ids);
  });

  test('pages with a cursor that is valid only for the same listing', async () => {
    const since = now();
    for (let count = 0; count < 5; count += 1) await recordOne();
    await settle();
    await pass();
    const query = `updatedSince=${since}&pageSize=2`;
    const first = await call(query);
    const cursor = first.headers.get('x-next-cursor');
    expect(first.headers.get('link')).toContain('rel="next"');
    for (const other of [`updatedSince=${since}&status=refund`, `updatedSince=${now()}`, 'pageSize=2'])
      expect((await call(`${other}&cursor=${cursor}`)).body.code).toBe('InvalidCursor');
    expect((await call(`${query}&cursor=${cursor}`)).body).toHaveLength(2);
  });

  test("accepts every filter, and uses a scoped key's group", async () => {
    const since = now();
    const [alice, bob, dora] = [
      await recordOne(),
      await recordOne({ code: 'BOB' }),
      (
        await service().call('POST', `${transactionsPath}?groupId=moba`, {
          key: keys().backend,
          json: purchase({ code: 'DORA' }),
        })
      ).body.transaction.transactionId,
    ];
    await settle();
    await patch(bob, { action: 'Refund' });
    await pass();
    const found = async (query: string) => idsOf(await walk(since, query));
    expect(await found('status=refund')).toEqual([bob]);
    expect(await found('playerId=p-1')).toEqual([alice]);
    expect(await found('code=ALICE&codeScope=code')).toEqual([alice]);
    expect(await found(`transactionId=${alice}&transactionId=${bob}`)).toEqual([alice, bob]);
    expect(await found('groupId=moba')).toEqual([dora]);
    expect(await found('groupId=*')).toEqual([alice, dora, bob]);
    expect(await found('groupId=*&memberId=acc_dora')).toEqual([dora]);
    expect(await found('endDate=1999-01-01T00:00:00Z')).toEqual([]);
    const scoped = await call(`updatedSince=${since}&groupId=*`, keys().moba);
    expect(scoped.body.map(({ transaction }: { transaction: Changed }) => transaction.transactionId)).toEqual(
      [dora],
    );
    expect((await call(`updatedSince=${since}&groupId=*`, keys().rival)).body).toEqual([]);
  });

  test.each([
    ['page=1', 'InvalidPage'],
    ['sort=transactionDate:asc', 'InvalidSort'],
    ['updatedSince=soon', 'InvalidDate'],
  ])('is rejected with %s', async (query, code) => {
    const all = query.startsWith('updatedSince') ? query : `updatedSince=${now()}&${query}`;
    const { status, body } = await call(all);
    expect([status, body.code]).toEqual([400, code]);
  });
});

describe('never misses a row', () => {
  test('when a recording begins before rows that were read and commits after them', async () => {
    const since = now();
    const like = await recordOne();
    await settle();
    const slow = new pg.Client(service().testDatabase.connection);
    await slow.connect();
    try {
      await slow.query('begin');
      const recordingId = newRecordingId();
      await slow.query(
        `insert into attribution
         select (jsonb_populate_record(a, jsonb_build_object('attribution_id', $1::text, 'transaction_id', 'slow'))).*
         from attribution a where a.publisher_id = 'aurora' and a.transaction_id = $2`,
        [rowIdOf(recordingId, 0), like],
      );
      await slow.query(
        `insert into unposted (publisher_id, recording_id, row_count) values ('aurora', $1, 1)`,
        [recordingId],
      );
      await pass();
      const after = await recordOne();
      await settle();
      await pass();
      const read = await walk(since);
      expect(idsOf(read)).toEqual([like, after]);
      await slow.query('commit');
      await settle();
      await pass();
      // A reader that continues from its last page finds the row. A reader that starts over receives it once.
      const next = await walk(read.at(-1)?.updatedAt ?? '');
      expect(idsOf(next)).toEqual([after, 'slow']);
      expect(idsOf(await walk(since))).toEqual([like, after, 'slow']);
    } finally {
      await slow.end();
    }
  });

  test('when a change begins before changes that were read and commits after them', async () => {
    const [slow, quick] = [await recordOne(), await recordOne()];
    await settle();
    const since = now();
    let commit: () => void = () => undefined;
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    const changing = inTransaction(db(), async (tx) => {
      const at = await beginChange(tx, 'aurora');
      await sql`update attribution set status = 'Refund' where publisher_id = 'aurora' and transaction_id = ${slow}`.execute(
        tx,
      );
      await sql`
        insert into attribution_change (publisher_id, attribution_id, changed_at, is_player_new)
        select publisher_id, attribution_id, ${at}::timestamptz, false
        from attribution where publisher_id = 'aurora' and transaction_id = ${slow}`.execute(tx);
      await mayCommit;
    });
    await pass();
    await patch(quick, { action: 'Refund' });
    await pass();
    // Readers don't pass a change while it is uncommitted.
    expect(await walk(since)).toEqual([]);
    commit();
    await changing;
    expect(idsOf(await walk(since))).toEqual([slow, quick]);
  });

  test('when a row changes between two pages: it appears at its new position', async () => {
    const since = now();
    const ids = [await recordOne(), await recordOne(), await recordOne()];
    await settle();
    await pass();
    const first = await call(`updatedSince=${since}&pageSize=1`);
    await patch(ids[1] ?? '', { action: 'Refund' });
    await pass();
    const rest: string[] = [];
    for (let cursor = first.headers.get('x-next-cursor'); cursor !== null; ) {
      const { body, headers } = await call(`updatedSince=${since}&pageSize=1&cursor=${cursor}`);
      rest.push(...body.map(({ transaction }: { transaction: Changed }) => transaction.transactionId));
      cursor = headers.get('x-next-cursor');
    }
    expect(rest).toEqual([ids[2], ids[1]]);
  });

  test('when many clients record and refund while a reader follows', async () => {
    const since = now();
    const seen = new Map<string, string>();
    let isOver = false;
    const follow = async (): Promise<void> => {
      for (let from = since, isLast = false; ; ) {
        isLast = isOver;
        for (const { transactionId, status, updatedAt } of await walk(from, 'pageSize=7')) {
          expect(updatedAt >= from).toBe(true);
          from = updatedAt;
          seen.set(transactionId, status);
        }
        if (isLast) return;
      }
    };
    const following = follow();
    const posting = (async () => {
      while (!isOver) await settle();
    })();
    const expected = new Map<string, string>();
    await Promise.all(
      Array.from({ length: 6 }, async (_, worker) => {
        for (let count = 0; count < 12; count += 1) {
          const id = await recordOne();
          const isRefunded = (count + worker) % 3 === 0;
          if (isRefunded) expect((await patch(id, { action: 'Refund' })).status).toBe(200);
          expected.set(id, isRefunded ? 'Refund' : 'Normal');
        }
      }),
    );
    await pass();
    isOver = true;
    await posting;
    await settle();
    await pass();
    await following;
    for (const { transactionId, status } of await walk(since)) seen.set(transactionId, status);
    expect(new Map([...seen].sort())).toEqual(new Map([...expected].sort()));
  });
});
