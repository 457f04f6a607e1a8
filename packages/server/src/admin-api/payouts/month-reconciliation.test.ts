import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { asEveryRole, asRole } from '../../../test/admin.ts';
import { bounty, checkAll } from '../../../test/bounties.ts';
import { useLinking } from '../../../test/linking.ts';
import { operations } from '../../../test/money.ts';
import { type Months, monthsOf } from '../../../test/months.ts';
import { readZip } from '../../../test/read-zip.ts';
import { testActor } from '../../../test/test-actor.ts';
import { createToken } from '../../accounts/tokens/create-token.ts';
import { systemClock } from '../../platform/clock.ts';
import { type MonthSpan, readMonthSpan } from '../../settlement/payouts/month/month-span.ts';
import { reconcileMonth } from '../../settlement/payouts/month/reconcile-month.ts';

const at = useLinking();
const { service, db, earn, settle, create, makeGroup, markPaid, cancel, clawBack, patch, query } = at;
let months: Months;
let headers: Record<string, string>;
let everyone: Awaited<ReturnType<typeof asEveryRole>>;
let [before, first, second, third] = ['', '', '', ''];

const monthAfter = (month: string, by: number): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + by)).toISOString().slice(0, 7);

beforeAll(async () => {
  const made = { publisherId: 'aurora', name: 'books', role: 'finance' } as const;
  const expiresAt = new Date(Date.now() + 3_600_000);
  const { token } = await createToken(db(), testActor, { ...made, expiresAt }, new Date());
  headers = { authorization: `Bearer ${token}` };
  everyone = await asEveryRole(service());
  months = monthsOf(db);
  await playMonths();
}, 120_000);

/** Before: purchases that were sent late. First, second and third: every kind of movement, of this month and of others. */
async function playMonths(): Promise<void> {
  first = await months.current();
  [before, second, third] = [monthAfter(first, -1), monthAfter(first, 1), monthAfter(first, 2)];
  const on = (month: string, day = 1) => ({
    transactionDate: `${month}-${String(day).padStart(2, '0')}T00:00:00.000Z`,
  });
  await makeGroup('eu', 'holdDays: 0,');
  await makeGroup('jp', 'holdDays: 0,');
  await earn('eu', 'A', 10_001, on(first));
  const late = await earn('eu', 'A', 700, on(before, 20));
  const returned = await earn('eu', 'B', 5_000, on(first));
  const part = await earn('eu', 'B', 300, on(first));
  await earn('eu', 'A', 4_444, { ...on(first), currency: 'EUR' });
  await earn('jp', 'B', 900, { ...on(before, 27), currency: 'JPY' });
  await settle();
  expect((await patch(late.transactionId, { form: { action: 'Refund' } })).status).toBe(200);
  await service().provision(
    JSON.stringify({
      publisher: { id: 'aurora' },
      groups: [
        {
          id: 'jp',
          bounties: [bounty({ rewards: [{ name: 'Bonus', type: 'Payment', amount: 77, currency: 'JPY' }] })],
        },
      ],
    }),
  );
  await earn('jp', 'A', 1, { ...on(first), currency: 'JPY' });
  await settle();
  await checkAll(db(), systemClock.now());
  const [euros] = await create('eu', null, 'EUR');
  await cancel(euros?.batchId ?? '');
  const [dollars] = await create('eu', null, 'USD');
  const [yen] = await create('jp', null, 'JPY');
  await markPaid(yen?.batchId ?? '');

  await months.end();
  await markPaid(dollars?.batchId ?? '');
  await earn('eu', 'A', 2_410, on(first, 2));
  await earn('eu', 'A', 60, on(second));
  await settle();
  await earn('eu', 'A', 9, on(third, 3)); // recorded before its date
  const twice = await earn('eu', 'B', 80, on(second));
  await settle();
  await clawBack(returned.id, 'Chargeback');
  expect((await patch(twice.transactionId, { form: { action: 'Fraud' } })).status).toBe(200);
  const [line] = await query(sql<{ reference: string }>`
    select reference from payout_item where batch_id = ${dollars?.batchId ?? ''}::uuid order by amount_minor limit 1`);
  await operations.setResults(db(), testActor, {
    ...{ publisherId: 'aurora', payoutId: dollars?.batchId ?? '', isDryRun: false },
    results: [{ line: 1, reference: line?.reference ?? '', result: 'Returned', note: null, problem: null }],
  });

  await months.end();
  await clawBack(part.id, 'Refund');
  await earn('jp', 'B', 12, { ...on(second, 5), currency: 'JPY' });
  await settle();
  await at.expectSound();
  await sleep(1_500); // a month begins for its files once a second of it is over
}

async function get(path: string) {
  const response = await fetch(`${service().url}/admin/v1/publishers/aurora/payouts/${path}`, { headers });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}

interface Amount {
  pageMinor: string;
  onlyFilesMinor: string;
  onlyPageMinor: string;
  filesMinor: string;
}
const kinds = ['earned', 'reversed', 'bounties', 'paid'] as const;
type Line = Record<(typeof kinds)[number], Amount> & {
  groupId: string;
  currency: string;
  clawedBackMinor: string;
};

async function reconciled(month: string, group = ''): Promise<Line[]> {
  const { status, body } = await get(`month/reconciliation?month=${month}${group}`);
  expect([status, body.toString()]).toMatchObject([200, expect.anything()]);
  return JSON.parse(body.toString()).lines;
}

/** Returns a month's differences in short: what is only in the files, and what is only on the page. */
const differencesOf = (lines: readonly Line[]): Record<string, Record<string, readonly [number, number]>> =>
  Object.fromEntries(
    lines.map((line) => [
      `${line.groupId} ${line.currency}`,
      Object.fromEntries(
        kinds
          .map(
            (kind) => [kind, [Number(line[kind].onlyFilesMinor), Number(line[kind].onlyPageMinor)]] as const,
          )
          .filter(([, [onlyFiles, onlyPage]]) => onlyFiles !== 0 || onlyPage !== 0),
      ),
    ]),
  );

const none = { pageMinor: '0', filesMinor: '0' };

describe('the reconciliation of a month', () => {
  test('adds up to the cent, from the sums of the page to those of the month-end files', async () => {
    for (const month of [before, first, second, third]) {
      const lines = await reconciled(month);
      const keyOf = ({ groupId, currency }: { groupId: string; currency: string }) =>
        `${groupId} ${currency}`;
      const byKey = new Map(lines.map((line) => [keyOf(line), line]));
      for (const line of lines)
        for (const kind of kinds) {
          const { pageMinor, onlyFilesMinor, onlyPageMinor, filesMinor } = line[kind];
          expect([
            month,
            keyOf(line),
            kind,
            BigInt(pageMinor) + BigInt(onlyFilesMinor) - BigInt(onlyPageMinor),
          ]).toEqual([month, keyOf(line), kind, BigInt(filesMinor)]);
        }

      const page = JSON.parse((await get(`month?month=${month}`)).body.toString());
      for (const sum of page.sums) {
        const line = byKey.get(keyOf(sum));
        const amounts = kinds.map((kind) => (line?.[kind] ?? none).pageMinor);
        const reversed = String(-BigInt(sum.reversedMinor));
        expect([month, keyOf(sum), amounts]).toEqual([
          month,
          keyOf(sum),
          [sum.earnedMinor, reversed, sum.bountiesMinor, sum.paidMinor],
        ]);
      }

      const files = readZip((await get(`month.zip?month=${month}`)).body);
      const summary: Record<string, string>[] = parse(files.get('summary.csv')?.text ?? '', {
        columns: true,
        bom: true,
        record_delimiter: '\r\n',
      });
      for (const { group: groupId = '', currency = '', ...sum } of summary) {
        const line = byKey.get(`${groupId} ${currency}`);
        const minorOf = (column: string): number =>
          Math.round(Number(sum[column]) * (currency === 'JPY' ? 1 : 100));
        const amounts = kinds.map((kind) => Number((line?.[kind] ?? none).filesMinor));
        expect([month, groupId, currency, amounts, Number(line?.clawedBackMinor ?? 0)]).toEqual([
          ...[month, groupId, currency],
          [
            minorOf('earned'),
            minorOf('reversed') + minorOf('clawedBack'),
            minorOf('bounties'),
            -minorOf('paid') + 0,
          ],
          minorOf('clawedBack'),
        ]);
      }
      const shown = lines.filter((line) => kinds.some((kind) => line[kind].filesMinor !== '0'));
      expect(summary.map(({ group, currency }) => `${group} ${currency}`)).toEqual(
        expect.arrayContaining(shown.map(keyOf)),
      );
    }
  });

  test('says which amounts are of other months', async () => {
    expect(differencesOf(await reconciled(before)), 'booked a month later').toEqual({
      'eu USD': { earned: [0, 700], reversed: [0, -700] },
      'jp JPY': { earned: [0, 900] },
    });
    expect(differencesOf(await reconciled(first))).toEqual({
      'eu EUR': {},
      // Purchases of the month before, their refund, later purchases and reversals of this month, and an unpaid payout.
      'eu USD': { earned: [700, 2_410], reversed: [-700, -5_300], paid: [15_301, 0] },
      'jp JPY': { earned: [900, 0] },
    });
    expect(differencesOf(await reconciled(second))).toEqual({
      'eu USD': { earned: [2_419, 0], reversed: [-5_000, 0], paid: [-5_300, 15_301] },
      'jp JPY': { earned: [0, 12] },
    });
    expect(differencesOf(await reconciled(third))).toEqual({
      'eu USD': { earned: [0, 9], reversed: [-300, 0] },
      'jp JPY': { earned: [12, 0] },
    });
  });

  test('is of one group if one is chosen', async () => {
    const all = await reconciled(first);
    expect(await reconciled(first, '&group=jp')).toEqual(all.filter(({ groupId }) => groupId === 'jp'));
  });

  test('leaves out the split of earnings that would need too many rows, but not their sums', async () => {
    const span = await readMonthSpan(db(), 'aurora', first);
    const all = await reconcileMonth(db(), span, null);
    const few = await reconcileMonth(db(), span, null, { maxRows: 1 });
    expect(few).toEqual(
      all.map((line) => ({ ...line, earned: { ...line.earned, onlyFilesMinor: null, onlyPageMinor: null } })),
    );
  });

  test('finds late purchases in any posting, and early ones only near the end of the month', async () => {
    const spanOf = (month: string) => readMonthSpan(db(), 'aurora', month);
    const read = (span: MonthSpan) => reconcileMonth(db(), span, null);
    const withoutEarly = (span: MonthSpan) => reconcileMonth(db(), span, null, { earlyMs: 0 });
    expect(await withoutEarly(await spanOf(first))).toEqual(await read(await spanOf(first)));
    const [euros] = await read(await spanOf(second));
    expect(euros?.earned, 'with a purchase of the third month').toMatchObject({
      onlyFilesMinor: 2_419n,
      onlyPageMinor: 0n,
    });
    const [without] = await withoutEarly(await spanOf(second));
    expect(without?.earned).toEqual({ ...euros?.earned, onlyFilesMinor: 2_410n, onlyPageMinor: -9n });
  });

  test('is read by every role of the publisher, and by no other publisher', async () => {
    const path = `/payouts/month/reconciliation?month=${first}`;
    for (const ask of Object.values(everyone)) expect((await ask('GET', path)).status).toBe(200);
    const rival = await asRole(service(), 'owner', 'rival');
    expect((await rival('GET', `/admin/v1/publishers/aurora${path}`)).status).toBe(404);
    expect((await service().call('GET', `/admin/v1/publishers/aurora${path}`, { key: null })).status).toBe(
      401,
    );
    for (const month of ['2026-13', 'October', '', '2099-01'])
      expect(
        await everyone.finance('GET', `/payouts/month/reconciliation?month=${month}`),
        month,
      ).toMatchObject({
        status: 400,
        body: { code: 'InvalidInput' },
      });
  });
});
