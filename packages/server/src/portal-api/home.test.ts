import { describe, expect, test } from 'vitest';
import { asRole } from '../../test/admin.ts';
import { usePortal } from '../../test/portal.ts';
import { readBalances } from '../settlement/read-balances.ts';

const portal = await usePortal();
const { creator, makeGroup, earn, settle, create, markPaid, refund, db, service } = portal;

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

async function homeOf(email: string, groupId: string) {
  const accountId = `acc_${groupId}_A`;
  const browser = await creator(email, accountId);
  return async () => {
    const { status, body } = await browser.get('/home?publisher=aurora');
    expect(status).toBe(200);
    const group = body.groups.find((each: { groupId: string }) => each.groupId === groupId);
    expect(group).toMatchObject({ accountId, accountName: 'A', status: 'Approved' });
    return group;
  };
}

/** Compares the amounts with the ledger's balance and with what the publisher's staff see. */
async function expectSameAsStaff(
  groupId: string,
  home: { currencies: Record<string, unknown>[] },
): Promise<void> {
  const memberId = `acc_${groupId}_A`;
  const balances = (await readBalances(db(), 'aurora')).filter(
    (each) => each.memberId === memberId && each.groupId === groupId && each.balanceMinor !== 0n,
  );
  const owed = home.currencies
    .filter(({ balanceMinor }) => balanceMinor !== '0')
    .map(({ currency, balanceMinor }) => [currency, balanceMinor]);
  expect(owed).toEqual(balances.map(({ currency, balanceMinor }) => [currency, String(balanceMinor)]));
  const ask = await asRole(service(), 'viewer');
  const { rows } = (await ask('GET', `/members/${memberId}/waiting?group=${groupId}`)).body;
  const listed = home.currencies.filter(
    ({ waiting, balanceMinor }) =>
      waiting !== undefined && (balanceMinor !== '0' || (waiting as unknown[]).length > 0),
  );
  expect(
    listed.map(({ currency, waiting }) => [
      currency,
      (
        waiting as {
          amountMinor: string;
          reasons: { kind: string; until: string | null; missingMinor: string | null }[];
        }[]
      ).map(({ amountMinor, reasons }) => [
        amountMinor,
        reasons.map(({ kind, until, missingMinor }) => [kind, until, missingMinor]),
      ]),
    ]),
  ).toEqual(
    rows.map(
      (row: {
        currency: string;
        waiting: {
          amountMinor: string;
          reasons: { kind: string; until: string | null; missingMinor: string | null }[];
        }[];
      }) => [
        row.currency,
        row.waiting.map(({ amountMinor, reasons }) => [
          amountMinor,
          reasons.map(({ kind, until, missingMinor }) => [kind, until, missingMinor]),
        ]),
      ],
    ),
  );
}

describe('Home', () => {
  test('lists the currency with the most recent purchases first, then by code', async () => {
    await makeGroup('ordered');
    const home = await homeOf('ordered@example.com', 'ordered');
    const recent = { transactionDate: daysAgo(2) };
    for (const currency of ['USD', 'USD', 'JPY']) await earn('ordered', 'A', 100, { ...recent, currency });
    for (let n = 0; n < 3; n += 1)
      await earn('ordered', 'A', 1_000, { transactionDate: daysAgo(40), currency: 'EUR' });
    await earn('ordered', 'A', 1, { transactionDate: daysAgo(40), currency: 'BHD' });
    await settle();
    const { currencies } = await home();
    expect(currencies.map(({ currency }: { currency: string }) => currency)).toEqual([
      'USD',
      'JPY',
      'BHD',
      'EUR',
    ]);
  });

  test('shows today, the month, the balance and the next payout, equal to the ledger and to what staff see', async () => {
    await makeGroup('home');
    const home = await homeOf('home@example.com', 'home');
    expect(await home()).toMatchObject({ currencies: [], plannedFor: null });
    await earn('home', 'A', 1_000); // long ago
    const now = daysAgo(0);
    const today = await earn('home', 'A', 250, { transactionDate: now });
    await earn('home', 'A', 70, { transactionDate: now, currency: 'EUR' });
    await earn('home', 'B', 5_000, { transactionDate: now });
    await settle();
    const first = await home();
    expect(first.currencies).toMatchObject([
      { currency: 'EUR', todayMinor: '70', monthMinor: '70', balanceMinor: '70', nextPayoutMinor: '0' },
      {
        currency: 'USD',
        todayMinor: '250',
        monthMinor: '250',
        balanceMinor: '1250',
        nextPayoutMinor: '1000',
      },
    ]);
    expect(first.currencies[1].waiting).toMatchObject([
      { amountMinor: '250', reasons: [{ kind: 'hold-period', until: expect.stringMatching(/Z$/) }] },
    ]);
    await expectSameAsStaff('home', first);

    await refund(today.transactionId, { refundId: 'part', amount: 50, reason: 'Refund' });
    const [payout] = await create('home', null, 'USD');
    const second = await home();
    expect(second.currencies[1]).toMatchObject({
      todayMinor: '200',
      balanceMinor: '200',
      nextPayoutMinor: '0',
    });
    expect(second.currencies[1].waiting).toMatchObject([
      { amountMinor: '200', reasons: [{ kind: 'hold-period' }] },
      { amountMinor: '1000', reasons: [{ kind: 'in-payout', payoutNumber: expect.any(Number) }] },
    ]);
    await expectSameAsStaff('home', second);
    await markPaid(payout?.batchId ?? '');
    const third = await home();
    expect(third.currencies[1].waiting).toMatchObject([
      { amountMinor: '200', reasons: [{ kind: 'hold-period' }] },
    ]);
    await expectSameAsStaff('home', third);
  });

  test('shows the planned day, with what is past its hold period by then', async () => {
    await makeGroup('planned', 'payoutCalendar: { dayOfMonth: 15, withinDays: 2 },');
    const home = await homeOf('planned@example.com', 'planned');
    await earn('planned', 'A', 400);
    await settle();
    const { plannedFor, currencies } = await home();
    expect(new Date(plannedFor).getUTCDate()).toBe(15);
    expect(currencies).toMatchObject([{ nextPayoutMinor: '400', waiting: [] }]);
    // Past its hold period of 30 days an hour before the planned day, and an hour after it.
    const held = (hours: number) => new Date(Date.parse(plannedFor) - 30 * 86_400_000 + hours * 3_600_000);
    const dates = [held(-1), held(1)].filter((each) => each.getTime() < Date.now());
    await earn('planned', 'A', 30, { transactionDate: dates[0]?.toISOString() });
    if (dates[1] !== undefined) await earn('planned', 'A', 7, { transactionDate: dates[1].toISOString() });
    await settle();
    const later = await home();
    expect(later.currencies).toMatchObject([
      { nextPayoutMinor: '430', balanceMinor: dates[1] === undefined ? '430' : '437' },
    ]);
    await expectSameAsStaff('planned', later);
  });

  test('names every reason, but not what staff wrote about it', async () => {
    await makeGroup('reasons', 'payoutMinimums: { USD: 2000 },');
    const home = await homeOf('reasons@example.com', 'reasons');
    await earn('reasons', 'A', 500);
    await settle();
    const ask = await asRole(service(), 'finance');
    const review = { kind: 'review', note: 'suspected of fraud' };
    expect(await ask('POST', '/members/acc_reasons_A/gates', review)).toMatchObject({ status: 200 });
    const group = await home();
    expect(group.currencies).toMatchObject([
      {
        balanceMinor: '500',
        nextPayoutMinor: '0',
        minimumMinor: '2000',
        waiting: [
          {
            amountMinor: '500',
            reasons: [
              { kind: 'review', until: null },
              { kind: 'minimum', missingMinor: '1500' },
            ],
          },
        ],
      },
    ]);
    expect(JSON.stringify(group)).not.toContain('suspected');
  });

  test('adds up the memberships of several accounts, and those that were merged', async () => {
    await portal.makeEmptyGroup('merging');
    const code = await portal.generate('merging', 'p-merging');
    const recorded = { ...purchaseOf(code), subtotal: 900 };
    expect(await portal.record(recorded, { query: '?groupId=merging' })).toMatchObject({ status: 200 });
    const own = await portal.makeMember('merging', 'MERGER');
    const person = await creator('merging@example.com', own);
    await portal.linked('merging', own, 'p-merging');
    await settle();
    const { groups } = (await person.get('/home?publisher=aurora')).body;
    expect(groups).toMatchObject([
      { accountId: own, groupId: 'merging', currencies: [{ balanceMinor: '900' }] },
    ]);
    const second = await portal.makeMember('merging', 'SECOND');
    await person.post('/claims', { authCode: await portal.authCode(second) });
    const both = (await person.get('/home?publisher=aurora')).body.groups;
    expect(both.map(({ accountId }: { accountId: string }) => accountId).sort()).toEqual(
      [own, second].sort(),
    );
  });
});

const purchaseOf = (code: string) => ({
  transactionId: `merging-${code}`,
  code,
  description: 'Battle pass',
  memberSharePercent: 100,
  currency: 'USD',
  transactionDate: '2024-05-01T12:00:00.000Z',
});
