import { beforeAll, describe, expect, test } from 'vitest';
import { useMoney } from '../../../test/money.ts';
import { type SignedInPerson, signIn } from '../../../test/staff.ts';

const { makeGroup, earn, settle, create, service } = useMoney();

let ann: SignedInPerson;
beforeAll(async () => {
  ann = await signIn(service(), 'finance', { name: 'Ann' });
});

interface Row {
  currency: string;
  balanceMinor: string;
  dueMinor: string;
  due: { rowCount: number; paymentsMinor: string; rewardsMinor: string; adjustmentsMinor: string };
  waiting: { amountMinor: string; reasons: { kind: string; until: string | null; note: string | null }[] }[];
}

const waitingOf = async (groupId: string, memberId: string): Promise<Row[]> => {
  const { status, body } = await ann.ask('GET', `/members/${memberId}/waiting?group=${groupId}`);
  expect(status).toBe(200);
  for (const { balanceMinor, dueMinor, due, waiting } of body.rows as Row[]) {
    const parts = BigInt(due.paymentsMinor) + BigInt(due.rewardsMinor) + BigInt(due.adjustmentsMinor);
    expect(String(parts), 'the parts add up').toBe(dueMinor);
    const own = waiting.filter(({ reasons }) => reasons.every(({ kind }) => kind !== 'in-payout'));
    const sum = own.reduce((total, { amountMinor }) => total + BigInt(amountMinor), BigInt(dueMinor));
    expect(String(sum), 'everything that is owed is either due or waits').toBe(balanceMinor);
  }
  return body.rows;
};
const shapes = (rows: Row[]) =>
  rows.map(({ currency, dueMinor, waiting }) => [
    currency,
    dueMinor,
    ...waiting.map(({ amountMinor, reasons }) => [amountMinor, ...reasons.map(({ kind }) => kind)]),
  ]);

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const needs = (payoutsNeed: object) =>
  service().provision(`publisher: { id: aurora, payoutsNeed: ${JSON.stringify(payoutsNeed)} }`);

describe('why a creator’s money waits', () => {
  test('is nothing when nothing waits, and every reason at once when it does, each with its end', async () => {
    await makeGroup('why', 'holdDays: 30, payoutMinimums: { USD: 2000 },');
    const old = { transactionDate: daysAgo(40) };
    await earn('why', 'A', 700, old);
    await earn('why', 'A', 3_000, { ...old, currency: 'EUR' });
    await earn('why', 'A', 250, { transactionDate: daysAgo(10) });
    await settle();
    expect(shapes(await waitingOf('why', 'acc_why_A'))).toEqual([
      ['EUR', '3000'],
      ['USD', '0', ['700', 'minimum'], ['250', 'hold-period']],
    ]);
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const hold = { reason: 'dispute', endsAt: until };
    expect((await ann.ask('POST', '/members/acc_why_A/holds', hold)).status).toBe(200);
    const review = { kind: 'review', until, note: 'same bank account' };
    expect((await ann.ask('POST', '/members/acc_why_A/gates', review)).status).toBe(200);
    await needs({ method: true, taxCleared: true });
    const rows = await waitingOf('why', 'acc_why_A');
    const kinds = ['hold', 'review', 'tax', 'no-method'];
    expect(shapes(rows)).toEqual([
      ['EUR', '0', ['3000', ...kinds]],
      ['USD', '0', ['700', ...kinds, 'minimum'], ['250', 'hold-period', ...kinds]],
    ]);
    expect(rows[0]?.waiting[0]?.reasons).toMatchObject([
      { until, note: 'dispute' },
      { until, note: 'same bank account' },
      { until: null },
      { until: null },
    ]);
    expect(rows[1]?.waiting[1]?.reasons[0]?.until).toBe(
      new Date(Date.parse(rows[1]?.waiting[1]?.reasons[0]?.until ?? '')).toISOString(),
    );
    const { rows: previewed } = (await ann.ask('GET', '/payouts/preview?group=why')).body;
    const ofPreview = previewed.map(({ currency, waiting }: Row) => [currency, waiting]);
    expect(ofPreview, 'as in the preview').toEqual(rows.map(({ currency, waiting }) => [currency, waiting]));
    await needs({ method: false, taxCleared: false });
  });

  test('names the payout that an amount is in, and reads one creator only', async () => {
    await makeGroup('one', 'holdDays: 0,');
    await earn('one', 'A', 500);
    await earn('one', 'B', 900);
    await settle();
    const [batch] = await create('one');
    await earn('one', 'A', 120);
    await settle();
    const { body } = await ann.ask('GET', '/members/acc_one_A/waiting?group=one');
    expect(body).toMatchObject({ groupId: 'one', plannedFor: null });
    expect(shapes(body.rows)).toEqual([['USD', '120', ['500', 'in-payout']]]);
    expect(body.rows[0].waiting[0].reasons[0].payout).toMatchObject({ payoutId: batch?.batchId });
    expect(shapes(await waitingOf('one', 'acc_one_B'))).toEqual([['USD', '0', ['900', 'in-payout']]]);
  });

  test('is only for members of the publisher, and for the signed in', async () => {
    await makeGroup('who');
    expect((await ann.ask('GET', '/members/acc_nobody/waiting?group=who')).status).toBe(404);
    expect((await ann.ask('GET', '/members/acc_who_A/waiting?group=nowhere')).status).toBe(404);
    const other = '/admin/v1/publishers/borealis/members/acc_who_A/waiting';
    expect([403, 404]).toContain((await ann.ask('GET', other)).status);
    expect(await waitingOf('who', 'acc_who_A'), 'nothing earned').toEqual([]);
  });
});
