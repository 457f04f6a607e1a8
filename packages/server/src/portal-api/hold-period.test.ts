import { describe, expect, test } from 'vitest';
import { bounty } from '../../test/bounties.ts';
import { usePortal } from '../../test/portal.ts';
import { completeBounties } from '../bounties/complete/complete-bounties.ts';
import { findMemberships } from '../members/read/find-memberships.ts';
import { planMember } from '../settlement/payouts/create/plan-member.ts';

const portal = await usePortal();
const { creator, signedIn, makeGroup, earn, settle, create, refund, db } = portal;

const dayMs = 86_400_000;
const startOfToday = Math.floor(Date.now() / dayMs) * dayMs;
/** Returns a time on a UTC day in the past, by default at noon. */
const onDay = (daysAgo: number, hours = 12): string =>
  new Date(startOfToday - daysAgo * dayMs + hours * 3_600_000).toISOString();
/** Returns the UTC day that is as many days from now. */
const inDays = (days: number): string => new Date(startOfToday + days * dayMs).toISOString();

interface Held {
  currency: string;
  amountMinor: string;
  days: { day: string; amountMinor: string }[];
  laterMinor: string;
}

/** Returns functions that read the hold period of a group's member A, and what Home shows. */
async function heldBy(email: string, groupId: string) {
  const browser = await creator(email, `acc_${groupId}_A`);
  const path = `/hold-period?publisher=aurora&groupId=${groupId}`;
  return {
    browser,
    async held(): Promise<Held[]> {
      const { status, body } = await browser.get(path);
      expect([status, body.memberships]).toEqual([
        200,
        [expect.objectContaining({ groupId, accountName: 'A' })],
      ]);
      const held: Held[] = body.memberships[0].currencies;
      // The days and the rest add up to the reason that Home shows.
      const home = (await browser.get('/home?publisher=aurora')).body.groups;
      const { currencies } = home.find((each: { groupId: string }) => each.groupId === groupId);
      const reasons = currencies.flatMap(
        ({
          currency,
          waiting,
        }: {
          currency: string;
          waiting: { amountMinor: string; reasons: { kind: string }[] }[];
        }) =>
          waiting
            .filter(({ reasons: [reason] }) => reason?.kind === 'hold-period')
            .map(({ amountMinor }) => [currency, amountMinor]),
      );
      expect(held.map(({ currency, amountMinor }) => [currency, amountMinor])).toEqual(reasons.sort());
      for (const { amountMinor, days, laterMinor } of held)
        expect(String(days.reduce((sum, each) => sum + BigInt(each.amountMinor), BigInt(laterMinor)))).toBe(
          amountMinor,
        );
      return held;
    },
  };
}

const daysOf = (held: readonly Held[], currency: string): string[][] =>
  held.find((each) => each.currency === currency)?.days.map(({ day, amountMinor }) => [day, amountMinor]) ??
  [];

describe('the hold period', () => {
  test('is listed by day, without what was taken back, paid, or recorded as a test', async () => {
    await makeGroup('held');
    const { held } = await heldBy('held@example.com', 'held');
    expect(await held()).toEqual([]);
    await earn('held', 'A', 1_000); // its hold period is over
    await earn('held', 'A', 300, { transactionDate: onDay(10, 1) });
    const part = await earn('held', 'A', 500, { transactionDate: onDay(10, 23) });
    const whole = await earn('held', 'A', 70, { transactionDate: onDay(5) });
    await earn('held', 'A', 9, { transactionDate: onDay(1) });
    await earn('held', 'A', 4, { transactionDate: onDay(1), currency: 'EUR' });
    await earn('held', 'A', 2_000, { transactionDate: onDay(2), status: 'Test' });
    await earn('held', 'B', 8_000, { transactionDate: onDay(1) });
    await settle();
    await refund(part.transactionId, { refundId: 'held-part', amount: 120, reason: 'Refund' });
    await refund(whole.transactionId, { refundId: 'held-whole', amount: 70, reason: 'Refund' });
    // Not posted yet, so it's neither in the balance nor here.
    await earn('held', 'A', 11, { transactionDate: onDay(3) });
    const listed = await held();
    expect(daysOf(listed, 'EUR')).toEqual([[inDays(29), '4']]);
    expect(daysOf(listed, 'USD')).toEqual([
      [inDays(20), '680'],
      [inDays(29), '9'],
    ]);

    // With a shorter hold period, a payout takes most of it. With a longer one, only what it left is held.
    await portal.provisionGroup('held', 'revShare: 10, holdDays: 2');
    await settle();
    await create('held');
    await portal.provisionGroup('held', 'revShare: 10, holdDays: 40');
    expect(daysOf(await held(), 'USD')).toEqual([[inDays(39), '9']]);
  });

  test('ends today for purchases of the day on which it began, until their time of day', async () => {
    await makeGroup('boundary');
    const { held } = await heldBy('boundary@example.com', 'boundary');
    const justOver = new Date(Date.now() - 30 * dayMs - 60_000);
    const soonOver = new Date(Date.now() - 30 * dayMs + 600_000);
    await earn('boundary', 'A', 50, { transactionDate: justOver.toISOString() });
    const refunded = await earn('boundary', 'A', 31, { transactionDate: soonOver.toISOString() });
    await earn('boundary', 'A', 2, { transactionDate: soonOver.toISOString() });
    await settle();
    await refund(refunded.transactionId, { refundId: 'soon', amount: 30, reason: 'Refund' });
    const over = new Date(Math.floor((soonOver.getTime() + 30 * dayMs) / dayMs) * dayMs);
    expect(daysOf(await held(), 'USD')).toEqual([[over.toISOString(), '3']]);
  });

  test('has the days on which payouts would pay more', async () => {
    await makeGroup('agreeing');
    const { held } = await heldBy('agreeing@example.com', 'agreeing');
    for (const [daysAgo, amount] of [
      [29, 100],
      [20, 7],
      [20, 8],
      [13, 40],
      [1, 3],
      [0, 1],
    ] as const)
      await earn('agreeing', 'A', amount, { transactionDate: onDay(daysAgo, 0) });
    await settle();
    const group = { publisherId: 'aurora', groupId: 'agreeing' };
    const membershipIds = await findMemberships(db(), group.publisherId, group.groupId, {
      by: 'memberId',
      value: 'acc_agreeing_A',
    });
    const [{ days } = { days: [] }] = await held();
    expect(days).toHaveLength(5);
    let sum = 0n;
    for (const { day, amountMinor } of days) {
      const dueAt = (at: number) =>
        db()
          .transaction()
          .execute((tx) => planMember(tx, { ...group, membershipIds, later: new Date(at) }))
          .then(({ payables }) => payables[0]?.amountMinor ?? 0n);
      expect(await dueAt(Math.max(Date.now(), Date.parse(day) - 1))).toBe(sum);
      sum += BigInt(amountMinor);
      expect(await dueAt(Date.parse(day) + dayMs - 1)).toBe(sum);
    }
  });

  test('lists at most 62 days, and the rest as one amount', async () => {
    await makeGroup('long', 'holdDays: 3650,');
    const { held } = await heldBy('long@example.com', 'long');
    for (let daysAgo = 0; daysAgo < 70; daysAgo += 1)
      await earn('long', 'A', 1 + daysAgo, { transactionDate: onDay(daysAgo, 0) });
    await settle();
    const [{ days, laterMinor, amountMinor } = { days: [], laterMinor: '', amountMinor: '' }] = await held();
    expect(days).toHaveLength(62);
    expect(days[0]).toEqual({ day: inDays(3_650 - 69), amountMinor: '70' });
    expect([laterMinor, amountMinor]).toEqual(['36', String((70 * 71) / 2)]);
  });

  test('has the rewards of bounties on the days on which their hold period ends', async () => {
    await makeGroup('rewarded');
    const goal = bounty({
      objectives: [{ name: 'Any', type: 'Purchase', condition: 'Count', count: 1 }],
      rewards: [{ name: 'Bonus', type: 'Payment', amount: 1_200, currency: 'USD' }],
    });
    await portal.provisionGroup('rewarded', `bounties: ${JSON.stringify([goal])}`);
    const { held } = await heldBy('rewarded@example.com', 'rewarded');
    await earn('rewarded', 'A', 5, { transactionDate: onDay(3) });
    await settle();
    while ((await completeBounties(db(), 'aurora', new Date())).checked > 0);
    const days = daysOf(await held(), 'USD');
    expect(days[0]).toEqual([inDays(27), '5']);
    expect(days).toHaveLength(2);
    expect(days[1]?.[1]).toBe('1200');
  });

  test('is shown only to the creator', async () => {
    await makeGroup('own');
    await makeGroup('others');
    const { browser } = await heldBy('own@example.com', 'own');
    await earn('own', 'B', 900, { transactionDate: onDay(1) });
    await earn('others', 'A', 900, { transactionDate: onDay(1) });
    await settle();
    const ask = (query: string, from = browser) => from.get(`/hold-period?${query}`);
    expect(await ask('publisher=aurora&groupId=own')).toMatchObject({
      status: 200,
      body: { memberships: [{ accountId: 'acc_own_A', currencies: [] }] },
    });
    for (const groupId of ['others', 'nowhere'])
      expect(await ask(`publisher=aurora&groupId=${groupId}`)).toMatchObject({ status: 404 });
    expect(await ask('publisher=rival&groupId=own')).toMatchObject({ status: 404 });
    for (const query of ['publisher=aurora', 'groupId=own', 'publisher=aurora&groupId='])
      expect(await ask(query)).toMatchObject({ status: 400 });
    const person = await signedIn('no-account@example.com');
    expect(await ask('publisher=aurora&groupId=own', person)).toMatchObject({ status: 404 });
    expect(await ask('publisher=aurora&groupId=own', portal.browser())).toMatchObject({ status: 401 });
  });
});
