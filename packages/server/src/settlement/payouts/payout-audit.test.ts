import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { entriesOf } from '../../../test/audit.ts';
import { operations, useMoney } from '../../../test/money.ts';
import { testActor } from '../../../test/test-actor.ts';
import { Refusal } from '../../platform/refusal.ts';
import { verifyLedger } from '../verify/verify-ledger.ts';
import { cancelPayout } from './cancel-payout.ts';
import { createPayout } from './create/create-payout.ts';

const money = useMoney();
const { makeGroup, earn, settle, preview, create, query, db } = money;

const logged = (work: () => Promise<unknown>) => entriesOf(db(), work);
const rejected = (work: () => Promise<unknown>) =>
  logged(() => expect(work()).rejects.toBeInstanceOf(Refusal));
const xminOf = async (batchId: string): Promise<string | undefined> =>
  (await query(sql<{ xmin: string }>`select xmin from payout_batch where batch_id = ${batchId}::uuid`))[0]
    ?.xmin;
async function ready(group: string): Promise<{ id: string; transactionId: string }> {
  await makeGroup(group);
  const row = await earn(group, 'A', 500, { playerId: 'buyer-of-it' });
  await settle();
  return row;
}
async function paid(group: string) {
  const row = await ready(group);
  const [batch] = await create(group);
  const batchId = batch?.batchId ?? '';
  await money.markPaid(batchId);
  return { row, batchId };
}
const cancel = (payoutId: string, reason: string | null = null, publisherId = 'aurora') =>
  cancelPayout(db(), testActor, { publisherId, payoutId, reason });

describe('a payout', () => {
  test('leaves one entry per currency, in the commit that creates it, with its actor', async () => {
    await ready('made');
    await earn('made', 'B', 30, { currency: 'JPY' });
    await settle();
    const entries = await logged(() => create('made'));
    const [jpy, usd] = [...(await money.payouts()).slice(0, 2)].sort((one, other) =>
      one.currency.localeCompare(other.currency),
    );
    expect(entries.map(({ target }) => target).sort()).toEqual(
      [jpy, usd].map((batch) => `payout:${batch?.batchId}`).sort(),
    );
    expect(entries.find(({ target }) => target === `payout:${usd?.batchId}`)).toEqual({
      publisher_id: 'aurora',
      actor_kind: 'command',
      actor_id: testActor.id,
      actor_name: testActor.name,
      address: null,
      request_id: null,
      command: testActor.command,
      action: 'payout.create',
      target: `payout:${usd?.batchId}`,
      before: null,
      after: {
        status: 'Created',
        groupId: 'made',
        currency: 'USD',
        totalMinor: '500',
        memberCount: 1,
        rowCount: 1,
        asOf: usd?.asOf.toISOString(),
      },
      reason: null,
      xmin: await xminOf(usd?.batchId ?? ''),
    });
  });

  test('leaves no entry when it is rejected, has no member due or exists already', async () => {
    await makeGroup('none-due');
    expect(await logged(() => create('none-due'))).toEqual([]);
    expect(await rejected(() => create('no-such-group'))).toEqual([]);
    await ready('busy');
    const { asOf } = await preview('busy');
    await sql`
      insert into payout_batch (publisher_id, batch_id, group_id, currency, as_of, status, total_minor, member_count,
                                row_count, worked_until, number)
      values ('aurora', uuidv7(), 'busy', 'USD', now(), 'Preparing', 0, 0, 0, now() + interval '1 minute', 9001)`.execute(
      db(),
    );
    expect(await rejected(() => create('busy')), 'another one is in progress').toEqual([]);
    await sql`
      update payout_batch set status = 'Cancelled', cancelled_at = now(), was_undone = true, worked_until = null
      where group_id = 'busy'`.execute(db());
    expect(await logged(() => create('busy', asOf))).toHaveLength(1);
    expect(await logged(() => create('busy', asOf)), 'the same cutoff again').toEqual([]);
    expect(
      await rejected(() =>
        createPayout(db(), testActor, { publisherId: 'rival', groupId: 'busy', currency: null, asOf: null }),
      ),
    ).toEqual([]);
  });

  test('leaves no entry when it is previewed, listed or verified', async () => {
    await ready('previewed');
    expect(
      await logged(async () => {
        await preview('previewed');
        await money.payouts();
        await verifyLedger(db());
      }),
    ).toEqual([]);
  });

  test('leaves one entry when it is marked as paid, and none the second time', async () => {
    await ready('leaves');
    const [batch] = await create('leaves');
    const batchId = batch?.batchId ?? '';
    const [entry, ...others] = await logged(() => money.markPaid(batchId));
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      action: 'payout.mark-paid',
      target: `payout:${batchId}`,
      before: { status: 'Created' },
      after: { status: 'Paid', groupId: 'leaves', currency: 'USD', totalMinor: '500' },
      xmin: await xminOf(batchId),
    });
    expect(await logged(() => money.markPaid(batchId))).toEqual([]);
    expect(await rejected(() => cancel(batchId)), 'it is paid').toEqual([]);
  });

  test('leaves one entry with the reason when several actors cancel it', async () => {
    await ready('back');
    const [batch] = await create('back');
    const batchId = batch?.batchId ?? '';
    expect(await rejected(() => cancel(batchId, null, 'rival'))).toEqual([]);
    const entries = await logged(() =>
      Promise.all(Array.from({ length: 4 }, (_, index) => cancel(batchId, `wrong month, ${index}`))),
    );
    expect(entries).toMatchObject([
      {
        action: 'payout.cancel',
        target: `payout:${batchId}`,
        before: { status: 'Created' },
        after: { status: 'Cancelled', currency: 'USD', totalMinor: '500' },
        reason: expect.stringMatching(/^wrong month, \d$/),
      },
    ]);
    expect(await logged(() => cancel(batchId))).toEqual([]);
    expect(await rejected(() => money.markPaid(batchId))).toEqual([]);
  });
});

describe('a clawback', () => {
  const clawBack = (row: string, reason: string | null = null, publisherId = 'aurora') =>
    operations.clawBack(db(), testActor, { publisherId, row, status: 'Chargeback', reason });

  test('leaves one entry with the row, the amount and the reason, without data of the buyer', async () => {
    const { row } = await paid('clawed');
    const entries = await logged(() => clawBack(row.id, 'bank case 4711'));
    const [{ xmin } = { xmin: null }] = await query(
      sql<{ xmin: string }>`select xmin from clawback where attribution_id = ${row.id}::uuid`,
    );
    expect(entries).toMatchObject([
      {
        action: 'payout.claw-back',
        target: `transaction:${row.transactionId}`,
        before: { row: row.id, status: 'Normal' },
        after: { row: row.id, status: 'Chargeback', amountMinor: '500', currency: 'USD' },
        reason: 'bank case 4711',
        xmin,
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain('buyer');
  });

  test('leaves no entry when it is rejected', async () => {
    const { row } = await paid('not-clawed');
    const held = await ready('not-paid');
    for (const [name, publisherId] of [
      [held.id, 'aurora'],
      [row.transactionId, 'aurora'],
      ['nothing', 'aurora'],
      [row.id, 'rival'],
    ] as const)
      expect(await rejected(() => clawBack(name, null, publisherId))).toEqual([]);
    await clawBack(row.id);
    expect(await rejected(() => clawBack(row.id)), 'already clawed back').toEqual([]);
  });
});
