import { parse } from 'csv-parse/sync';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asEveryRole, asRole } from '../../../test/admin.ts';
import { entriesOf } from '../../../test/audit.ts';
import { useLinking } from '../../../test/linking.ts';
import { readZip } from '../../../test/read-zip.ts';
import { type SignedInPerson, signIn } from '../../../test/staff.ts';

const at = useLinking();
const { service, db, earn, settle, create, makeGroup, provisionGroup, markPaid, cancel, linked } = at;

let admin: pg.Client;
let ann: SignedInPerson;
let ben: SignedInPerson;
beforeAll(async () => {
  admin = new pg.Client(service().testDatabase.adminConnection);
  await admin.connect();
  ann = await signIn(service(), 'finance', { name: 'Ann' });
  ben = await signIn(service(), 'owner', { name: 'Ben' });
  await playTwoYears();
}, 120_000);
afterAll(() => admin.end());

async function methodOf(memberId: string, country: string, email: string): Promise<void> {
  const method = { kind: 'paypal', holderName: 'Maria Muster', holderType: 'individual', country, email };
  const { body } = await ann.ask('POST', `/members/${memberId}/payees`, method);
  const approved = await ben.ask('POST', `/payees/${body.methodId}/approve`, { acceptsShared: false });
  expect(approved.status).toBe(200);
}

/** Creates a payout of everything that a group owes in one currency, at a time in the past. */
async function payoutOf(groupId: string, createdAt: string, currency = 'USD'): Promise<string> {
  await settle();
  const [batch] = await create(groupId, null, currency);
  const payoutId = batch?.batchId ?? '';
  await admin.query('update payout_batch set created_at = $2 where batch_id = $1', [payoutId, createdAt]);
  await admin.query(
    `update ledger_entry set created_at = $2
     where kind = 'payout' and subject_id in (select item_id from payout_item where batch_id = $1)`,
    [payoutId, createdAt],
  );
  return payoutId;
}

async function paidAt(payoutId: string, time: string): Promise<void> {
  await markPaid(payoutId);
  await admin.query('update payout_batch set paid_at = $2 where batch_id = $1', [payoutId, time]);
}

/** Sets the result of a creator's line through the admin API, at a time in the past. */
async function resultAt(payoutId: string, memberId: string, result: string, time: string): Promise<void> {
  const { rows } = await admin.query(
    `select reference from payout_item join membership using (publisher_id, membership_id)
     where batch_id = $1 and account_id = $2`,
    [payoutId, memberId],
  );
  const results = [{ reference: rows[0].reference, result }];
  const path = `/payouts/${payoutId}/results`;
  const checked = await ann.ask('POST', path, { results, isDryRun: true });
  const { owedAgainMinor } = checked.body;
  const set = await ann.ask('POST', path, { results, isDryRun: false, owedAgainMinor });
  expect([set.status, set.body.lines?.[0]]).toMatchObject([200, { verdict: 'change' }]);
  await admin.query(`update payout_result set recorded_at = $1 where recorded_at > '2026-01-01'`, [time]);
  await admin.query(`update payout_return set created_at = $1 where created_at > '2026-01-01'`, [time]);
  await admin.query(
    `update ledger_entry set created_at = $1 where kind = 'payout-return' and created_at > '2026-01-01'`,
    [time],
  );
}

async function playTwoYears(): Promise<void> {
  const { body } = await ben.ask('GET', '/payee-settings');
  await ben.ask('PUT', '/payee-settings', { ...body, waitDays: 0 });
  for (const groupId of ['eu', 'jp', 'claims']) await makeGroup(groupId, 'holdDays: 0,');
  await provisionGroup(
    'us',
    'revShare: 10, holdDays: 0, members: [ { id: acc_eu_A, name: A, codes: [ { code: M-US, group: us } ] } ]',
  );
  await admin.query(`update creator_account set name = '=cmd()' where account_id = 'acc_eu_B'`);

  // A failed line, paid again across New Year, and a line with its own time of payment.
  await earn('eu', 'A', 10_000);
  await earn('eu', 'B', 5_000);
  const spring = await payoutOf('eu', '2024-03-01T10:00:00Z');
  await resultAt(spring, 'acc_eu_B', 'Failed', '2024-03-05T10:00:00Z');
  await paidAt(spring, '2024-03-10T10:00:00Z');
  await earn('eu', 'A', 1_000);
  await earn('eu', 'B', 700);
  const newYear = await payoutOf('eu', '2024-12-20T10:00:00Z');
  await resultAt(newYear, 'acc_eu_A', 'Paid', '2024-12-31T23:59:59.999Z');
  await paidAt(newYear, '2025-01-01T00:00:00.000Z');

  // Lines that came back: one in the same year, the other in the next year. Then paid again, after a cancellation.
  await methodOf('acc_eu_A', 'DE', 'a@example.com');
  await earn('eu', 'A', 500);
  await earn('eu', 'B', 600);
  const summer = await payoutOf('eu', '2024-05-30T10:00:00Z');
  await paidAt(summer, '2024-06-01T10:00:00Z');
  await resultAt(summer, 'acc_eu_B', 'Returned', '2024-07-01T10:00:00Z');
  await resultAt(summer, 'acc_eu_A', 'Returned', '2025-02-03T10:00:00Z');
  await methodOf('acc_eu_A', 'AT', 'new@example.com');
  const canceled = await payoutOf('eu', '2025-03-01T10:00:00Z');
  await cancel(canceled);
  await admin.query(`update payout_batch set cancelled_at = '2025-03-02Z' where batch_id = $1`, [canceled]);
  await admin.query(
    `update ledger_entry set created_at = '2025-03-02Z' where kind = 'payout-return' and created_at > '2026-01-01'`,
  );
  await paidAt(await payoutOf('eu', '2025-03-30T10:00:00Z'), '2025-04-01T10:00:00Z');
  await earn('us', 'A', 2_000, { code: 'M-US' });
  await paidAt(await payoutOf('us', '2024-11-10T10:00:00Z'), '2024-11-11T10:00:00Z');

  // A line that was returned without being paid, and one that is only known to be sent.
  await earn('jp', 'A', 900, { currency: 'JPY' });
  const back = await payoutOf('jp', '2024-10-01T10:00:00Z', 'JPY');
  await resultAt(back, 'acc_jp_A', 'Sent', '2024-10-02T10:00:00Z');
  await resultAt(back, 'acc_jp_A', 'Returned', '2024-10-03T10:00:00Z');
  await paidAt(back, '2024-10-04T10:00:00Z');
  const sent = await payoutOf('jp', '2025-05-01T10:00:00Z', 'JPY');
  await resultAt(sent, 'acc_jp_A', 'Sent', '2025-05-02T10:00:00Z');
  await paidAt(sent, '2025-05-05T10:00:00Z');
  // A line that failed after its payout was marked as paid.
  await earn('jp', 'A', 300, { currency: 'EUR' });
  const failing = await payoutOf('jp', '2024-08-01T10:00:00Z', 'EUR');
  await resultAt(failing, 'acc_jp_A', 'Sent', '2024-08-02T10:00:00Z');
  await paidAt(failing, '2024-08-03T10:00:00Z');
  await resultAt(failing, 'acc_jp_A', 'Failed', '2025-01-05T10:00:00Z');
  await paidAt(await payoutOf('jp', '2025-06-01T10:00:00Z', 'EUR'), '2025-06-02T10:00:00Z');

  // A member who is claimed after the first payment.
  const code = await at.generate('claims', 'p-claimed');
  await earn('claims', 'A', 333, { code });
  await paidAt(await payoutOf('claims', '2024-05-01T10:00:00Z'), '2024-05-02T10:00:00Z');
  const creator = await at.makeMember('claims', 'CLAIMER');
  await linked('claims', creator, 'p-claimed');
  await earn('claims', 'A', 444, { code });
  await paidAt(await payoutOf('claims', '2025-05-01T10:00:00Z'), '2025-05-02T10:00:00Z');
  await at.expectSound();
}

const path = (year: string): string => `/payouts/year.csv?year=${year}`;
type Line = Record<string, string>;
async function yearOf(year: string): Promise<Line[]> {
  const { status, text } = await ann.ask('GET', path(year));
  expect(status).toBe(200);
  return parse(text, { columns: true, bom: true, record_delimiter: '\r\n' });
}

const sumOf = (lines: readonly Line[], column: string): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const line of lines)
    sums[line.currency ?? ''] = (sums[line.currency ?? ''] ?? 0) + Number(line[column]);
  return sums;
};

const shown = (lines: readonly Line[]): unknown[] =>
  lines
    .map(({ memberId, country, currency, payments, paid, returns, returned, net }) =>
      [
        memberId?.startsWith('acc_') ? memberId : 'unclaimed',
        country,
        currency,
        payments,
        paid,
        returns,
        returned,
        net,
      ].join(' '),
    )
    .sort();

describe('the file of a year', () => {
  test('has each payment in the year in which it was paid, and each return in the year in which it came back', async () => {
    expect(shown(await yearOf('2024'))).toEqual(
      [
        'acc_eu_A AT DE USD 4 135.00 0 0.00 135.00',
        'acc_eu_B  USD 1 6.00 1 -6.00 0.00',
        'unclaimed  USD 1 3.33 0 0.00 3.33',
      ].sort(),
    );
    expect(shown(await yearOf('2025'))).toEqual(
      [
        'acc_eu_A AT DE USD 1 5.00 1 -5.00 0.00',
        'acc_eu_B  USD 2 63.00 0 0.00 63.00',
        'acc_jp_A  JPY 1 900 0 0 900',
        'acc_jp_A  EUR 1 3.00 0 0.00 3.00',
        'acc_CLAIMER  USD 1 4.44 0 0.00 4.44',
      ].sort(),
    );
    expect(await yearOf('2023')).toEqual([]);
  });

  test('adds up to the lines of the month-end files, and to the ledger', async () => {
    const net = sumOf([...(await yearOf('2024')), ...(await yearOf('2025'))], 'netMinor');
    expect(net).toEqual({ USD: 20_577, EUR: 300, JPY: 900 });
    const { rows } = await admin.query(
      `select currency, -sum(amount_minor)::int as sum from ledger_entry
       where publisher_id = 'aurora' and kind in ('payout', 'payout-return') group by currency`,
    );
    expect(Object.fromEntries(rows.map(({ currency, sum }) => [currency, sum]))).toEqual(net);
    const booked: Record<string, number> = {};
    for (let month = 0; month < 24; month += 1) {
      const name = new Date(Date.UTC(2024, month)).toISOString().slice(0, 7);
      const response = await fetch(
        `${service().url}/admin/v1/publishers/aurora/payouts/month.zip?month=${name}`,
        { headers: ann.headers },
      );
      const files = readZip(Buffer.from(await response.arrayBuffer()));
      const lines: Line[] = parse(files.get('payouts.csv')?.text ?? '', { columns: true, bom: true });
      for (const { currency = '', booked: amount } of lines)
        booked[currency] =
          (booked[currency] ?? 0) - Math.round(Number(amount) * (currency === 'JPY' ? 1 : 100));
    }
    expect(booked).toEqual(net);
  });

  test('has stable columns, and protects names from spreadsheets', async () => {
    const { text, headers } = await ann.ask('GET', path('2025'));
    expect(headers.get('content-disposition')).toBe('attachment; filename="paid-aurora-2025.csv"');
    expect(text.split('\r\n')[0]?.replace('\ufeff', '')).toBe(
      'year,memberId,name,country,currency,payments,paid,paidMinor,returns,returned,returnedMinor,net,netMinor',
    );
    expect(text).toContain(`\r\n2025,"acc_eu_B",'=cmd(),,USD,2,63.00,6300,0,0.00,0,63.00,6300\r\n`);
    expect(text).not.toContain('example.com');
  });
});

describe('exporting a year', () => {
  test('requires the permissions to export and to pay, and a year that has begun', async () => {
    const { owner, finance, ...others } = await asEveryRole(service());
    for (const ask of [owner, finance]) expect((await ask('GET', path('2024'))).status).toBe(200);
    for (const [role, ask] of Object.entries(others))
      expect(await ask('GET', path('2024')), role).toMatchObject({ status: 403 });
    const rival = await asRole(service(), 'owner', 'rival');
    expect((await rival('GET', `/admin/v1/publishers/aurora${path('2024')}`)).status).toBe(404);
    const own = await rival('GET', path('2024'));
    expect([own.status, own.text.trim().split('\r\n').length]).toEqual([200, 1]);
    for (const year of ['24', '2024-01', '1969', '', '2098'])
      expect(await owner('GET', path(year)), year).toMatchObject({
        status: 400,
        body: { code: 'InvalidInput' },
      });
    expect((await owner('GET', '/payouts/year.csv')).status).toBe(400);
    expect((await owner('GET', `${path('2024')}&group=eu`)).status).toBe(400);
  });

  test('is in the audit log', async () => {
    const entries = await entriesOf(db(), () => yearOf('2024'));
    expect(entries).toMatchObject([
      { action: 'payout-year.export', target: 'payout-year:2024', after: { isOver: true } },
    ]);
  });

  test('has a line for each creator, beyond one page', async () => {
    await makeManyPayments(2_500);
    const many = await asRole(service(), 'owner', 'many');
    const { text } = await many('GET', path('2025'));
    const lines: Line[] = parse(text, { columns: true, bom: true });
    expect(new Set(lines.map(({ memberId }) => memberId)).size).toBe(2_500);
    expect([lines.length, sumOf(lines, 'netMinor')]).toEqual([2_500, { USD: 2_500 * 20 }]);
  });
});

/** Creates a publisher whose creators were each paid 20 in 2025. */
async function makeManyPayments(creators: number): Promise<void> {
  const id = `('019c0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
  await admin.query(`
    insert into publisher (publisher_id, name) values ('many', 'Many');
    insert into creator_group (publisher_id, group_id, name, share_millionths) values ('many', 'main', 'main', 100000);
    insert into creator_account (account_id, name) select 'many_' || n, 'Creator ' || n from generate_series(1, ${creators}) n;
    insert into membership (publisher_id, membership_id, group_id, account_id, status)
    select 'many', ${id}, 'main', 'many_' || n, 'Approved' from generate_series(1, ${creators}) n;
    insert into payout_batch (publisher_id, batch_id, group_id, currency, as_of, status, total_minor, member_count, row_count,
                              created_at, paid_at, planned_count, number)
    values ('many', '019cb000-0000-7000-8000-000000000000', 'main', 'USD', '2025-03-11Z', 'Paid', 20 * ${creators}, ${creators},
            ${creators}, '2025-03-11Z', '2025-03-12Z', ${creators}, 9001);
    insert into payout_item (publisher_id, item_id, batch_id, membership_id, row_count, payments_minor, adjustments_minor, amount_minor,
                             reference)
    select 'many', ${id}, '019cb000-0000-7000-8000-000000000000', ${id}, 1, 20, 0, 20, '9001-' || lpad(n::text, 5, '0')
    from generate_series(1, ${creators}) n`);
}
