import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asRole } from '../../../test/admin.ts';
import { purchase } from '../../../test/fixtures.ts';
import { useLinking } from '../../../test/linking.ts';
import { type CrashingDatabase, openCrashingDatabase } from '../../../test/simulation/crashing-database.ts';
import { testActor } from '../../../test/test-actor.ts';
import { createPayout } from '../payouts/create/create-payout.ts';
import { verifyLedger } from '../verify/verify-ledger.ts';
import { holdPurchase } from './hold-purchase.ts';

const at = useLinking();
const { service, keys, db, query, number, earn, settle, preview, create, patch, balance } = at;
let support: Asking;
let rival: Asking;
let crashing: CrashingDatabase;
beforeAll(async () => {
  support = await asRole(service(), 'support');
  rival = await asRole(service(), 'owner', 'rival');
  crashing = openCrashingDatabase(service().testDatabase.connection);
});
afterAll(() => crashing?.close());
afterEach(() => at.expectSound());

const dispute = { reason: 'dispute' };
const hold = (transactionId: string, terms: object = dispute, as = support) =>
  as('POST', `/transactions/${transactionId}/holds`, terms);
const holdMember = (memberId: string, terms: object = dispute) =>
  support('POST', `/members/${memberId}/holds`, terms);
const release = (holdId: string, as = support) => as('POST', `/holds/${holdId}/release`, { reason: 'won' });
const placed = async (transactionId: string, terms: object = dispute): Promise<string> => {
  const { status, body } = await hold(transactionId, terms);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.holds[0].holdId;
};
const due = async (group: string, asOf: Date | null = null) =>
  (await preview(group, asOf)).payables.map(({ name, amountMinor, onHold }) => [
    name,
    amountMinor,
    onHold && [onHold.rowCount, onHold.amountMinor, ...onHold.holds.map(({ reason }) => reason)],
  ]);
const totals = async (group: string, asOf: Date | null = null) =>
  (await create(group, asOf)).map(({ totalMinor, rowCount }) => [totalMinor, rowCount]);
const soon = () => new Date(Date.now() + 3_600_000).toISOString();
const early = { transactionDate: '2023-01-01T00:00:00.000Z' };
let groups = 0;
async function group(settings = ''): Promise<string> {
  groups += 1;
  await at.makeGroup(`holds-${groups}`, settings);
  return `holds-${groups}`;
}

describe('a hold on a payment', () => {
  test('keeps it out of payouts, says why, changes nothing else, and ends with its release', async () => {
    const groupId = await group();
    const first = await earn(groupId, 'A', 100, early);
    await earn(groupId, 'A', 20);
    await earn(groupId, 'B', 3);
    await settle();
    const shown = await support('GET', `/transactions/${first.transactionId}`);
    const { status, body } = await hold(first.transactionId, { reason: ' case 4711 ' });
    expect([status, body.holds]).toMatchObject([
      200,
      [
        {
          row: { rowId: first.id, transactionId: first.transactionId, currency: 'USD', amountMinor: '100' },
          memberId: `acc_${groupId}_A`,
          groupId,
          reason: 'case 4711',
          endsAt: null,
          placedBy: { kind: 'token' },
          release: null,
        },
      ],
    ]);
    const [{ holdId }] = body.holds;
    const after = await support('GET', `/transactions/${first.transactionId}`);
    expect(after.body.rows[0].hold).toMatchObject({ holdId, reason: 'case 4711' });
    expect(shown.body.rows[0].row.isOnHold).toBe(false);
    expect(after.body.rows[0].row).toEqual({ ...shown.body.rows[0].row, isOnHold: true });
    const listed = async () =>
      (await support('GET', `/transactions?transactionId=${first.transactionId}`)).body.rows[0].isOnHold;
    expect(await listed()).toBe(true);
    expect(await balance('A', 'USD', groupId)).toBe(120n);
    expect(await due(groupId)).toEqual([
      ['A', 20n, [1, 100n, 'case 4711']],
      ['B', 3n, null],
    ]);
    const { body: page } = await support('GET', `/payouts/preview?group=${groupId}`);
    expect(page.totals).toMatchObject([
      {
        due: { totalMinor: '23' },
        onHold: { totalMinor: '100', memberCount: 1, rowCount: 1 },
        later: { totalMinor: '0' },
      },
    ]);
    expect(await totals(groupId), 'a payout of the rest').toEqual([[23n, 2]]);
    expect(await due(groupId)).toEqual([['A', 0n, [1, 100n, 'case 4711']]]);
    expect((await support('GET', `/payouts/preview?group=${groupId}`)).body.rows).toMatchObject([
      { state: 'on-hold', amountMinor: '0', laterMinor: '0', onHold: { amountMinor: '100' } },
    ]);
    expect((await support('GET', `/attention?group=${groupId}`)).body.due).toEqual([]);
    expect((await support('GET', `/holds?group=${groupId}`)).body.rows).toMatchObject([{ holdId }]);
    expect((await release(holdId)).body).toMatchObject({ holdId, release: { reason: 'won' } });
    expect((await support('GET', `/holds?group=${groupId}`)).body.rows).toEqual([]);
    expect(await listed(), 'released').toBe(false);
    expect(await totals(groupId)).toEqual([[100n, 1]]);
    expect(await totals(groupId)).toEqual([]);
  });

  test('works before the row is posted, outlasts the hold period, and lets the row be reversed', async () => {
    const groupId = await group();
    const one = await earn(groupId, 'A', 100);
    const other = await earn(groupId, 'A', 10);
    const kept = await placed(one.transactionId);
    await placed(other.transactionId);
    await settle();
    expect(await due(groupId)).toEqual([['A', 0n, [2, 110n, 'dispute']]]);
    expect((await patch(other.transactionId, { form: { action: 'Chargeback' } })).status).toBe(200);
    expect(await balance('A', 'USD', groupId)).toBe(100n);
    expect(await due(groupId)).toEqual([['A', 0n, [1, 100n, 'dispute']]]);
    await release(kept);
    expect(await totals(groupId)).toEqual([[100n, 1]]);
  });

  test('holds all rows of a split, or those named', async () => {
    const groupId = await group();
    const sent = purchase({ memberSharePercent: 10, transactionDate: '2024-05-01T12:00:00Z' });
    const rows = ['M-A', 'M-B'].map((code) => ({ ...sent, code, subtotal: 1_000 }));
    const { body } = await service().call('POST', `/v1/attributions/transactions?groupId=${groupId}`, {
      key: keys().backend,
      json: rows,
    });
    await settle();
    const { transactionId } = sent;
    expect((await hold(transactionId, { ...dispute, rows: [body[1].transaction.id] })).status).toBe(200);
    expect(await due(groupId)).toEqual([
      ['A', 100n, null],
      ['B', 0n, [1, 100n, 'dispute']],
    ]);
    expect((await hold(transactionId)).body.holds).toMatchObject([
      { row: { rowId: body[0].transaction.id } },
    ]);
    expect(await totals(groupId)).toEqual([]);
  });

  test('is rejected with a clear error that changes nothing', async () => {
    const groupId = await group();
    const { transactionId, id } = await earn(groupId, 'A', 100);
    const test = await earn(groupId, 'A', 5, { status: 'Test' });
    const inPayout = await earn(groupId, 'B', 7);
    await settle();
    const holdId = await placed(transactionId);
    await create(groupId);
    const count = await number(sql`select count(*) as n from payment_hold`);
    const answers = [
      await hold(transactionId),
      await hold(inPayout.transactionId),
      await hold(test.transactionId),
      await hold('t-none'),
      await hold(transactionId, dispute, rival),
      await hold(transactionId, { ...dispute, rows: [holdId] }),
      await hold(inPayout.transactionId, { ...dispute, endsAt: '2026-01-01T00:00:00Z' }),
      await hold(transactionId, { reason: ' ' }),
      await hold(transactionId, { reason: 'x'.repeat(501) }),
      await hold(transactionId, {}),
      await holdMember('acc_none'),
      await holdMember(`acc_${groupId}_A`, { ...dispute, groupId: 'main' }),
      await release(id),
      await release('no-id'),
      await release(holdId, rival),
    ];
    expect(answers.map(({ status }) => status)).toEqual([
      ...[409, 409, 409, 404, 404, 404, 400, 400, 400, 400],
      ...[404, 404, 404, 404, 404],
    ]);
    expect(answers[1]?.body.message).toContain('already in a payout');
    expect(await number(sql`select count(*) as n from payment_hold`)).toBe(count);
    expect((await release(holdId)).status).toBe(200);
    expect((await release(holdId)).status).toBe(409);
    await placed(transactionId, { reason: 'a second dispute' });
    const audited = await query(sql<{ action: string; reason: string }>`
      select action, reason from audit_entry where target = ${`transaction:${transactionId}`} order by audit_id`);
    expect(audited).toEqual([
      { action: 'transaction.hold', reason: 'dispute' },
      { action: 'transaction.release', reason: 'won' },
      { action: 'transaction.hold', reason: 'a second dispute' },
    ]);
  });

  test('can be placed once at a time, and is either in time for a concurrent payout or rejected', async () => {
    const groupId = await group();
    const { transactionId, id } = await earn(groupId, 'A', 100);
    await settle();
    const statuses = (await Promise.all([hold(transactionId), hold(transactionId)])).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, 409]);
    for (let round = 0; round < 4; round += 1) {
      const row = await earn(groupId, 'B', 1);
      await settle();
      const [answer] = await Promise.all([hold(row.transactionId), create(groupId)]);
      const [payment] = await query(sql<{ isPaid: boolean }>`
        select payout_batch_id is not null as "isPaid" from payment where attribution_id = ${row.id}`);
      expect([answer.status, payment?.isPaid]).toEqual(answer.status === 200 ? [200, false] : [409, true]);
    }
    expect(await number(sql`select count(*) as n from payment_hold where attribution_id = ${id}`)).toBe(1n);
  });

  test('ends by itself; a preview from before reads the holds of its time', async () => {
    const groupId = await group();
    const { transactionId } = await earn(groupId, 'A', 100);
    await earn(groupId, 'A', 20);
    await settle();
    await placed(transactionId, { ...dispute, endsAt: new Date(Date.now() + 2_000).toISOString() });
    const { asOf } = await preview(groupId);
    expect(await due(groupId)).toEqual([['A', 20n, [1, 100n, 'dispute']]]);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect(await due(groupId, asOf)).toEqual([['A', 20n, [1, 100n, 'dispute']]]);
    expect(await due(groupId)).toEqual([['A', 120n, null]]);
    expect((await support('GET', `/holds?group=${groupId}`)).body.rows).toEqual([]);
    await placed(transactionId, { reason: 'again', endsAt: soon() });
    expect(await totals(groupId)).toEqual([[20n, 1]]);
    expect(await totals(groupId)).toEqual([]);
  });
});

describe('a hold placed or released after a preview', () => {
  test('is not paid: a hold placed since takes the amount away, and one released since makes the preview outdated', async () => {
    const groupId = await group();
    const ofA = await earn(groupId, 'A', 100);
    const ofB = await earn(groupId, 'B', 30);
    await earn(groupId, 'B', 5);
    await settle();
    const holdId = await placed(ofB.transactionId);
    const { asOf } = await preview(groupId);
    const finance = await asRole(service(), 'finance');
    const pay = (exactly = true) =>
      finance('POST', '/payouts', { groupId, asOf: asOf.toISOString(), exactly });
    await placed(ofA.transactionId);
    expect(await pay()).toMatchObject({
      status: 409,
      body: {
        payoutChange: {
          cause: 'members',
          currencies: [{ onlyFell: true, after: { totalMinor: '5', memberCount: 1 } }],
          causes: [{ reason: 'hold', count: 1 }],
          members: [{ name: 'A', beforeMinor: '100', afterMinor: '0', reasons: ['hold'] }],
        },
      },
    });
    await release(holdId);
    expect((await pay(false)).status).toBe(409);
    const { body } = await pay();
    expect(body.message).toContain('(B): 0.05 → 0.35 USD (hold released)');
    expect(body.payoutChange.currencies).toMatchObject([{ isChanged: true, onlyFell: false }]);
    expect(body.payoutChange.members).toMatchObject([
      { name: 'A', reasons: ['hold'] },
      { name: 'B', beforeMinor: '5', afterMinor: '35', reasons: ['release'] },
    ]);
    expect(await totals(groupId)).toEqual([[35n, 2]]);
  });
});

describe('a hold on a creator', () => {
  test('keeps everything that the creator is due out of payouts, in one group or in all', async () => {
    const groupId = await group();
    await earn(groupId, 'A', 100, early);
    const own = await earn(groupId, 'A', 20);
    await earn(groupId, 'B', 3);
    await settle();
    const ofRow = await placed(own.transactionId, { reason: 'own' });
    const { asOf } = await preview(groupId);
    const whole = await holdMember(`acc_${groupId}_A`, { reason: 'fraud?' });
    expect([whole.status, whole.body]).toMatchObject([
      200,
      { row: null, groupId: null, memberId: `acc_${groupId}_A` },
    ]);
    expect((await holdMember(`acc_${groupId}_A`)).status).toBe(409);
    const inGroup = await holdMember(`acc_${groupId}_A`, { ...dispute, groupId });
    expect(inGroup.body.groupId).toBe(groupId);
    await expect(at.createOrLess(groupId, asOf, { isExact: true })).rejects.toThrow('hold placed');
    expect(await due(groupId)).toEqual([
      ['A', 0n, [2, 120n, 'fraud?', 'dispute', 'own']],
      ['B', 3n, null],
    ]);
    expect(await totals(groupId)).toEqual([[3n, 1]]);
    expect((await support('GET', `/attention?group=${groupId}`)).body.due).toEqual([]);
    const page = await support('GET', `/holds?member=acc_${groupId}_A`);
    expect(page.body.rows.map(({ reason }: { reason: string }) => reason)).toEqual([
      'dispute',
      'fraud?',
      'own',
    ]);
    await release(whole.body.holdId);
    expect(await totals(groupId)).toEqual([]);
    await release(inGroup.body.holdId);
    expect(await totals(groupId)).toEqual([[100n, 1]]);
    await release(ofRow);
    expect(await totals(groupId)).toEqual([[20n, 1]]);
  });

  test('goes on for the creator who claims the member', async () => {
    await at.makeEmptyGroup('claimed');
    const code = await at.generate('claimed', 'p-claimed');
    const creator = await at.makeMember('claimed', 'CLAIMS');
    await earn('claimed', 'A', 700, { code });
    await earn('claimed', 'A', 300, { code: 'CLAIMS' });
    await settle();
    const [found] = await query(sql<{ id: string }>`
      select account_id as id from membership where group_id = 'claimed' and player_id = 'p-claimed'`);
    await holdMember(found?.id ?? '');
    const { asOf } = await preview('claimed');
    expect((await due('claimed')).map(([, amount]) => amount).sort()).toEqual([0n, 300n]);
    await at.linked('claimed', creator, 'p-claimed');
    expect(await due('claimed')).toEqual([['CLAIMS', 0n, [2, 1_000n, 'dispute']]]);
    await expect(create('claimed', asOf)).rejects.toThrow('Preview the payout again');
    expect(await totals('claimed')).toEqual([]);
    const [open, ...others] = (await support('GET', `/holds?member=${creator}`)).body.rows;
    expect([open.memberId, others]).toEqual([creator, []]);
    await release(open.holdId);
    expect(await totals('claimed')).toEqual([[1_000n, 2]]);
  });

  test('placed after a claim also counts for previews in which the member was separate', async () => {
    await at.makeEmptyGroup('apart');
    const code = await at.generate('apart', 'p-apart');
    const creator = await at.makeMember('apart', 'APART');
    await earn('apart', 'A', 700, { code });
    await settle();
    const { asOf } = await preview('apart');
    await at.linked('apart', creator, 'p-apart');
    await holdMember(creator);
    expect(await at.createOrLess('apart', asOf)).toMatchObject({
      payouts: [],
      reductions: { members: [{ previewedMinor: 700n, paidMinor: 0n, reasons: ['hold'] }] },
    });
  });
});

describe('a crash', () => {
  test.each([1, 4, 8, 12])('before statement %i saves no part of a hold', async (beforeStatement) => {
    const groupId = await group();
    const { transactionId } = await earn(groupId, 'A', 100);
    await settle();
    const request = { publisherId: 'aurora', transactionId, rows: null, reason: 'x', endsAt: null };
    const isPlaced = await holdPurchase(crashing.db({ beforeStatement }), testActor, request).then(
      () => true,
      () => false,
    );
    const rows = await query(sql`
      select p.has_holds, h.hold_id from payment p left join payment_hold h using (publisher_id, attribution_id)
      where p.group_id = ${groupId} and (p.has_holds or h.hold_id is not null)`);
    expect(rows).toHaveLength(isPlaced ? 1 : 0);
    expect(await totals(groupId)).toEqual(isPlaced ? [] : [[100n, 1]]);
  });

  test('of a payout leaves the mark at the row on hold', async () => {
    const groupId = await group();
    const { transactionId } = await earn(groupId, 'A', 100, early);
    await earn(groupId, 'A', 20);
    await settle();
    const holdId = await placed(transactionId);
    const request = { publisherId: 'aurora', groupId, currency: null, asOf: null };
    await createPayout(crashing.db({ afterCommit: 4 }), testActor, request).catch(() => undefined);
    await query(
      sql`update payout_batch set worked_until = now() - interval '1 second' where worked_until is not null`,
    );
    await release(holdId);
    const paid = await totals(groupId);
    expect([[[120n, 2]], [[100n, 1]]]).toContainEqual(paid);
  });
});

test('a verification finds a row that was on hold at the cutoff of its payout', async () => {
  const groupId = await group();
  const { id } = await earn(groupId, 'A', 100);
  await settle();
  await create(groupId);
  const asActor = sql`'service', 'test', 'test'`;
  await query(sql`
    with flagged as (
      update payment set has_holds = true where publisher_id = 'aurora' and attribution_id = ${id}::uuid
    )
    insert into payment_hold (publisher_id, hold_id, subject, number, attribution_id, group_id, reason, placed_at,
                              placed_by_kind, placed_by_id, placed_by_name)
    values ('aurora', ${id}::uuid, 'forged', 1, ${id}::uuid, ${groupId}, 'x', '2026-01-01', ${asActor})`);
  expect(await verifyLedger(db())).toMatchObject({
    isSound: false,
    rule: expect.stringContaining('on hold'),
    row: `attribution ${id}`,
  });
  await query(sql`
    insert into payment_hold_release (publisher_id, hold_id, reason, released_at, released_by_kind, released_by_id,
                                      released_by_name)
    values ('aurora', ${id}::uuid, 'x', '2026-01-02', ${asActor})`);
});
