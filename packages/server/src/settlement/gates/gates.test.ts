import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { useLinking } from '../../../test/linking.ts';

const at = useLinking();
const { service, earn, settle, preview, create, balance } = at;
let finance: Asking;
let owner: Asking;
let rival: Asking;
beforeAll(async () => {
  finance = await asRole(service(), 'finance');
  owner = await asRole(service(), 'owner');
  rival = await asRole(service(), 'owner', 'rival');
});
afterEach(async () => {
  await need({ taxCleared: false });
  await at.expectSound();
});

const setGate = (memberId: string, gate: object, as = finance) =>
  as('POST', `/members/${memberId}/gates`, gate);
const endGate = (gateId: string, as = finance) => as('POST', `/gates/${gateId}/end`, { reason: 'checked' });
const placed = async (memberId: string, gate: object): Promise<string> => {
  const { status, body } = await setGate(memberId, gate);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.gateId;
};
const clearance = { kind: 'tax', note: 'W-8BEN 2026-03' };
const review = { kind: 'review', note: 'same bank account as another creator' };
const soon = (days = 1) => new Date(Date.now() + days * 86_400_000).toISOString();

async function need(payoutsNeed: { taxCleared: boolean }) {
  const { body } = await owner('GET', '/settings');
  const { status } = await owner('PUT', '/settings', {
    version: body.version,
    name: body.name,
    payoutsNeed: { method: false, ...payoutsNeed },
  });
  expect(status).toBe(200);
}
const blocked = async (group: string, asOf: Date | null = null) =>
  (await preview(group, asOf)).payables.map(({ name, amountMinor, isDue, blocks }) => [
    name,
    amountMinor,
    isDue ? 'due' : blocks,
  ]);
const totals = async (group: string, asOf: Date | null = null) =>
  (await create(group, asOf)).map(({ totalMinor, memberCount }) => [totalMinor, memberCount]);
let groups = 0;
async function group(settings = ''): Promise<string> {
  groups += 1;
  await at.makeGroup(`gates-${groups}`, settings);
  return `gates-${groups}`;
}
async function earned(settings = ''): Promise<{ groupId: string; a: string; b: string }> {
  const groupId = await group(settings);
  await earn(groupId, 'A', 100);
  await earn(groupId, 'B', 30);
  await settle();
  return { groupId, a: `acc_${groupId}_A`, b: `acc_${groupId}_B` };
}

describe('a tax clearance', () => {
  test('is not needed at first, and is needed by the next payout once the publisher says so', async () => {
    const { groupId, a } = await earned();
    expect(await blocked(groupId)).toMatchObject([
      ['A', 100n, 'due'],
      ['B', 30n, 'due'],
    ]);
    await need({ taxCleared: true });
    await placed(a, { ...clearance, until: soon() });
    expect(await blocked(groupId)).toEqual([
      ['A', 100n, 'due'],
      ['B', 30n, ['tax']],
    ]);
    const { body } = await finance('GET', `/payouts/preview?group=${groupId}`);
    expect(body.totals).toMatchObject([
      { due: { totalMinor: '100' }, blocked: { totalMinor: '30', memberCount: 1 } },
    ]);
    expect(body.rows).toMatchObject([
      { state: 'due', waiting: [] },
      { state: 'blocked', waiting: [{ amountMinor: '30', reasons: [{ kind: 'tax', until: null }] }] },
    ]);
    expect(await totals(groupId)).toEqual([[100n, 1]]);
    expect(await balance('B', 'USD', groupId), 'it stays owed').toBe(30n);
    expect((await finance('GET', `/attention?group=${groupId}`)).body.due).toEqual([]);
    await need({ taxCleared: false });
    expect(await totals(groupId)).toEqual([[30n, 1]]);
  });

  test('is read as it was at the cutoff: set later, it pays nothing more, and revoked, nothing', async () => {
    const { groupId, a, b } = await earned();
    await need({ taxCleared: true });
    const gateId = await placed(a, clearance);
    const { asOf } = await preview(groupId);
    await placed(b, clearance);
    expect(await blocked(groupId, asOf)).toEqual([
      ['A', 100n, 'due'],
      ['B', 30n, ['tax']],
    ]);
    expect((await endGate(gateId)).body.end).toMatchObject({ reason: 'checked' });
    expect(await blocked(groupId, asOf), 'an older cutoff').toEqual([
      ['A', 100n, 'due'],
      ['B', 30n, ['tax']],
    ]);
    expect(await blocked(groupId)).toEqual([
      ['A', 100n, ['tax']],
      ['B', 30n, 'due'],
    ]);
    expect(await totals(groupId)).toEqual([[30n, 1]]);
  });

  test('that starts later or is over clears nothing', async () => {
    const { groupId, a } = await earned();
    await need({ taxCleared: true });
    await placed(a, { ...clearance, from: soon(), until: soon(2) });
    expect(await blocked(groupId)).toMatchObject([
      ['A', 100n, ['tax']],
      ['B', 30n, ['tax']],
    ]);
    await placed(a, { ...clearance, until: new Date(Date.now() + 1_500).toISOString() });
    expect((await blocked(groupId))[0]).toEqual(['A', 100n, 'due']);
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    expect((await blocked(groupId))[0]).toEqual(['A', 100n, ['tax']]);
  });

  test('that changes nothing, or has no sense, is rejected, and nothing is saved', async () => {
    const { a } = await earned();
    const first = await placed(a, { ...clearance, until: soon(100) });
    const cases: [object, number, string][] = [
      [clearance, 200, ''],
      [{ ...clearance, until: soon(50) }, 409, 'already has a tax clearance'],
      [{ ...clearance, until: '2020-01-01T00:00:00Z' }, 400, 'must be in the future'],
      [{ ...clearance, from: soon(9), until: soon(8) }, 400, 'must be after the start'],
      [{ ...clearance, note: ' ' }, 400, 'A note of 1 to 500 characters'],
      [{ kind: 'tax' }, 400, 'note'],
      [{ ...clearance, kind: 'other' }, 400, 'kind'],
      [{ ...clearance, taxNumber: '1' }, 400, 'taxNumber'],
    ];
    for (const [gate, status, message] of cases) {
      const answer = await setGate(a, gate);
      expect([gate, answer.status, JSON.stringify(answer.body)]).toEqual([
        gate,
        status,
        expect.stringContaining(message),
      ]);
    }
    expect((await finance('GET', `/gates?member=${a}`)).body.rows).toHaveLength(2);
    expect((await setGate('acc_unknown', clearance)).status).toBe(404);
    expect((await setGate(a, clearance, rival)).status).toBe(404);
    expect((await endGate(first, rival)).status).toBe(404);
    expect((await endGate('nothing')).status).toBe(404);
    expect((await endGate(first)).status).toBe(200);
    expect((await endGate(first)).status).toBe(409);
  });
});

describe('a review', () => {
  test('keeps a creator out of payouts until it ends, with all other reasons', async () => {
    const { groupId, a } = await earned('payoutMinimums: { USD: 150 },');
    await placed(a, { ...review, until: soon() });
    await finance('POST', `/members/${a}/holds`, { reason: 'dispute' });
    await need({ taxCleared: true });
    const [row] = (await finance('GET', `/payouts/preview?group=${groupId}`)).body.rows.filter(
      ({ memberId }: { memberId: string }) => memberId === a,
    );
    expect(row.waiting).toEqual([
      {
        amountMinor: '100',
        reasons: [
          expect.objectContaining({ kind: 'hold', until: null, note: 'dispute' }),
          expect.objectContaining({ kind: 'review', until: expect.any(String), note: review.note }),
          expect.objectContaining({ kind: 'tax', until: null, note: null }),
          expect.objectContaining({ kind: 'minimum', missingMinor: '50' }),
        ],
      },
    ]);
  });

  test('is set once, also when many set it at the same time', async () => {
    const { groupId, a } = await earned();
    const answers = await Promise.all(Array.from({ length: 6 }, () => setGate(a, review)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await totals(groupId)).toEqual([[30n, 1]]);
    const [{ gateId }] = (await finance('GET', `/gates?member=${a}&kind=review`)).body.rows;
    const ends = await Promise.all(Array.from({ length: 4 }, () => endGate(gateId)));
    expect(ends.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect(await totals(groupId)).toEqual([[100n, 1]]);
  });

  test('set since the preview keeps its money out of the payout', async () => {
    const { groupId, a } = await earned();
    const { asOf } = await preview(groupId);
    await placed(a, review);
    const outcome = await totals(groupId, asOf).catch((error: Error) => error.message);
    // A preview that is outdated is either rejected, or pays the others.
    if (typeof outcome === 'string') expect(outcome).toContain(a);
    else expect(outcome).toEqual([[30n, 1]]);
    expect(await balance('A', 'USD', groupId)).toBe(100n);
  });

  test('goes on for the creator who claims the member, and a clearance does not', async () => {
    await at.makeEmptyGroup('reviewed');
    const code = await at.generate('reviewed', 'p-reviewed');
    const creator = await at.makeMember('reviewed', 'CLAIMER');
    await earn('reviewed', 'A', 700, { code });
    await settle();
    const [found] = await at.query(sql<{ id: string }>`
      select account_id as id from membership where group_id = 'reviewed' and player_id = 'p-reviewed'`);
    await placed(found?.id ?? '', review);
    await placed(found?.id ?? '', clearance);
    const { asOf } = await preview('reviewed');
    await at.linked('reviewed', creator, 'p-reviewed');
    expect(await blocked('reviewed')).toEqual([['CLAIMER', 700n, ['review']]]);
    expect((await blocked('reviewed', asOf)).map(([, ...rest]) => rest)).toEqual([[700n, ['review']]]);
    expect(await totals('reviewed')).toEqual([]);
    const [open, ...others] = (await finance('GET', `/gates?member=${creator}`)).body.rows;
    expect([open.kind, others]).toEqual(['review', []]);
    await need({ taxCleared: true });
    await endGate(open.gateId);
    expect(await blocked('reviewed')).toEqual([['CLAIMER', 700n, ['tax']]]);
    await placed(creator, clearance);
    expect(await totals('reviewed')).toEqual([[700n, 1]]);
  });

  test('is set and ended by roles that may create payouts, and recorded in the audit log', async () => {
    const { a } = await earned();
    for (const [role, as] of Object.entries(await asEveryRole(service()))) {
      const { status, body } = await setGate(a, review, as);
      expect([role, status]).toEqual([role, ['owner', 'finance'].includes(role) ? 200 : 403]);
      if (status === 200) expect((await endGate(body.gateId, as)).status).toBe(200);
    }
    const { body } = await owner('GET', `/audit?target=member:${a}`);
    expect(body.rows.map(({ action }: { action: string }) => action).slice(0, 2)).toEqual([
      'member.end-review',
      'member.review',
    ]);
  });
});
