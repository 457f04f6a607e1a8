import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asEveryRole, asRole } from '../../../test/admin.ts';
import { entriesOf } from '../../../test/audit.ts';
import { bounty, checkAll } from '../../../test/bounties.ts';
import { useLinking } from '../../../test/linking.ts';
import { readZip } from '../../../test/read-zip.ts';
import { testActor } from '../../../test/test-actor.ts';
import { createToken } from '../../accounts/tokens/create-token.ts';
import { systemClock } from '../../platform/clock.ts';
import { runVerification } from '../../settlement/verify/jobs/run-verification.ts';
import { verifyLedgerSince } from '../../settlement/verify/verify-ledger.ts';

const at = useLinking();
const { service, db, earn, settle, create, makeGroup, markPaid, cancel, clawBack, patch, linked } = at;
const path = (month: string, publisherId = 'aurora'): string =>
  `/admin/v1/publishers/${publisherId}/payouts/month.zip?month=${month}`;

let admin: pg.Client;
let headers: Record<string, string>;
beforeAll(async () => {
  admin = new pg.Client(service().testDatabase.adminConnection);
  await admin.connect();
  headers = await tokenOf('aurora');
  await playThreeMonths();
}, 120_000);
afterAll(() => admin.end());

async function tokenOf(publisherId: string): Promise<Record<string, string>> {
  const made = {
    publisherId,
    name: 'books',
    role: 'finance',
    expiresAt: new Date(Date.now() + 3_600_000),
  } as const;
  const { token } = await createToken(db(), testActor, made, new Date());
  return { authorization: `Bearer ${token}` };
}

/** Moves everything that was booked since the last call to a time in the past. */
async function bookedAt(time: string): Promise<void> {
  const isNew = (column: string): string => `${column} > '2025-01-01'`;
  for (const [table, column] of [
    ['ledger_entry', 'created_at'],
    ['clawback', 'created_at'],
    ['payout_batch', 'created_at'],
    ['payout_batch', 'paid_at'],
    ['payout_batch', 'cancelled_at'],
    ['membership', 'merged_at'],
  ] as const)
    await admin.query(`update ${table} set ${column} = $1 where ${isNew(column)}`, [time]);
}

let transit = '';
/** April: earnings only. May: every kind of movement. Afterward: more movements, and a merge. */
async function playThreeMonths(): Promise<void> {
  await makeGroup('eu', 'holdDays: 0,');
  await makeGroup('jp', 'holdDays: 0,');
  await earn('eu', 'A', 10_001);
  const refunded = await earn('eu', 'A', 700);
  await earn('eu', 'B', 5_000);
  await earn('jp', 'B', 900, { currency: 'JPY' });
  const code = await at.generate('eu', 'p-claimed');
  await earn('eu', 'A', 333, { code });
  await settle();
  await bookedAt('2024-04-30T23:59:59.999Z');

  const back = await earn('eu', 'B', 250);
  await earn('eu', 'A', 4_444, { currency: 'EUR' });
  await settle();
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
  await earn('jp', 'A', 1, { currency: 'JPY' });
  await settle();
  await checkAll(db(), systemClock.now());
  expect((await patch(refunded.transactionId, { form: { action: 'Refund' } })).status).toBe(200);
  const [paid] = await create('eu', null, 'USD');
  await markPaid(paid?.batchId ?? '');
  await clawBack(back.id, 'Chargeback');
  const [canceled] = await create('eu', null, 'EUR');
  await cancel(canceled?.batchId ?? '');
  transit = (await create('jp'))[0]?.batchId ?? '';
  await earn('eu', 'A', 444, { code });
  await settle();
  await bookedAt('2024-05-15T12:00:00Z');

  await markPaid(transit);
  await earn('eu', 'A', 88);
  await earn('jp', 'B', 12, { currency: 'JPY' });
  await settle();
  const creator = await at.makeMember('eu', 'CLAIMER');
  await earn('eu', 'A', 50, { code: 'CLAIMER' });
  await settle();
  await linked('eu', creator, 'p-claimed');
  await bookedAt('2024-06-20T12:00:00Z');
  await at.expectSound();
}

async function download(month: string): Promise<Buffer> {
  const response = await fetch(service().url + path(month), { headers });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  return Buffer.from(await response.arrayBuffer());
}

type Line = Record<string, string>;
async function monthOf(month: string) {
  const files = readZip(await download(month));
  const lines = (name: string): Line[] =>
    parse(files.get(name)?.text ?? '', { columns: true, bom: true, record_delimiter: '\r\n' });
  return {
    files,
    statements: lines('statements.csv'),
    payouts: lines('payouts.csv'),
    clawbacks: lines('clawbacks.csv'),
    balances: lines('balances.csv'),
    summary: lines('summary.csv'),
    proof: files.get('ledger-proof.txt')?.text ?? '',
    readMe: files.get('README.txt')?.text ?? '',
  };
}

/** Adds up a column in minor units; all currencies here have two decimal places, except JPY. */
const sumOf = (lines: readonly Line[], column: string): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const line of lines) {
    const currency = line.currency ?? '';
    const minor = Math.round(Number(line[column]) * (currency === 'JPY' ? 1 : 100));
    sums[currency] = (sums[currency] ?? 0) + minor;
  }
  return sums;
};

/** Adds up the ledger from its first entry. */
async function ledgerUpTo(time: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ currency: string; sum: string }>`
    select currency, sum(amount_minor)::text as sum
    from ledger_entry
    where publisher_id = 'aurora' and created_at < ${time}
    group by currency`.execute(db());
  return Object.fromEntries(rows.map(({ currency, sum }) => [currency, Number(sum)]));
}

describe('the file of a month', () => {
  test('has closing balances that equal the ledger to the cent, and the opening balances of the next month', async () => {
    const [april, may, june] = await Promise.all(['2024-04', '2024-05'].map(monthOf)).then(async (two) => [
      ...two,
      await monthOf('2024-06'),
    ]);
    for (const [month, next] of [
      [april, '2024-05-01Z'],
      [may, '2024-06-01Z'],
      [june, '2024-07-01Z'],
    ] as const) {
      expect(sumOf(month?.statements ?? [], 'closing')).toEqual(await ledgerUpTo(next));
      for (const line of [...(month?.statements ?? []), ...(month?.summary ?? [])]) {
        const parts = ['opening', 'earned', 'reversed', 'clawedBack', 'bounties', 'paid'].map((name) =>
          Math.round(Number(line[name]) * 100),
        );
        expect(
          parts.reduce((left, part) => left + part, 0),
          JSON.stringify(line),
        ).toBe(Math.round(Number(line.closing) * 100));
      }
    }
    expect(sumOf(may?.statements ?? [], 'opening')).toEqual({
      ...sumOf(may?.statements ?? [], 'opening'),
      ...sumOf(april?.statements ?? [], 'closing'),
    });
    expect(sumOf(june?.statements ?? [], 'opening')).toEqual(sumOf(may?.statements ?? [], 'closing'));
  });

  test('shows each kind of movement once, for the right creator', async () => {
    const { statements } = await monthOf('2024-05');
    const line = (group: string, name: string, currency: string): Line | undefined =>
      statements.find((each) => each.group === group && each.name === name && each.currency === currency);
    expect(line('eu', 'A', 'USD')).toMatchObject({
      memberId: 'acc_eu_A',
      opening: '107.01',
      earned: '0.00',
      reversed: '-7.00',
      paid: '-100.01',
      closing: '0.00',
      closingMinor: '0',
    });
    expect(line('eu', 'B', 'USD')).toMatchObject({
      earned: '2.50',
      paid: '-52.50',
      clawedBack: '-2.50',
      closing: '-2.50',
    });
    expect(line('eu', 'A', 'EUR')).toMatchObject({ earned: '44.44', paid: '0.00', closing: '44.44' });
    expect(line('jp', 'A', 'JPY')).toMatchObject({ earned: '1', bounties: '77', paid: '-78', closing: '0' });
    expect(statements.filter(({ currency }) => currency === 'XXX')).toEqual([]);
  });

  test('has payouts, clawbacks and balances that add up to the statements', async () => {
    const { statements, payouts, clawbacks, balances, summary, readMe, proof } = await monthOf('2024-05');
    for (const currency of ['USD', 'EUR', 'JPY'])
      expect(sumOf(payouts, 'booked')[currency]).toBe(sumOf(statements, 'paid')[currency]);
    expect(
      payouts.map(({ name, currency, status, amount, booked }) => [name, currency, status, amount, booked]),
    ).toEqual(
      expect.arrayContaining([
        ['A', 'USD', 'Paid', '100.01', '-100.01'],
        ['A', 'EUR', 'Cancelled', '44.44', '0.00'],
        ['A', 'JPY', 'Created', '78', '-78'],
      ]),
    );
    expect(clawbacks).toMatchObject([
      { name: 'B', amount: '-2.50', amountMinor: '-250', status: 'Chargeback', deductedByPayout: '' },
    ]);
    expect(sumOf(balances, 'balance')).toEqual(
      Object.fromEntries(Object.entries(sumOf(statements, 'closing')).filter(([, minor]) => minor !== 0)),
    );
    expect(sumOf(summary, 'closing')).toEqual(sumOf(statements, 'closing'));
    expect(readMe).not.toContain('DOES NOT AGREE');
    expect(readMe).toContain('The month is over');
    expect(proof).toContain('Yes. In each currency');
    expect(proof).toContain('USD  zero');
  });

  test('shows a payout again in the month in which it was marked as paid, with nothing booked', async () => {
    const { payouts } = await monthOf('2024-06');
    expect(payouts.map(({ payout, status, booked }) => [payout, status, booked])).toContainEqual([
      transit,
      'Paid',
      '0',
    ]);
  });

  test('keeps the lines of members who merged later, and joins them from then on', async () => {
    const others = (lines: Line[]): unknown[] =>
      lines
        .filter(({ group, name }) => group === 'eu' && name !== 'A' && name !== 'B')
        .map(({ memberId, opening, paid, closing }) => [memberId === 'acc_CLAIMER', opening, paid, closing]);
    expect(others((await monthOf('2024-05')).statements)).toEqual([[false, '3.33', '-3.33', '4.44']]);
    expect(others((await monthOf('2024-06')).statements)).toEqual([[true, '4.44', '0.00', '4.94']]);
  });

  test('has the same bytes twice once the month is over, and files of its last day', async () => {
    const [one, other] = [await download('2024-05'), await download('2024-05')];
    expect(one.equals(other)).toBe(true);
    const { dosTime } = readZip(one).get('README.txt') ?? { dosTime: 0 };
    expect([
      (dosTime >>> 25) + 1980,
      (dosTime >>> 21) & 15,
      (dosTime >>> 16) & 31,
      (dosTime >>> 11) & 31,
    ]).toEqual([2024, 5, 31, 12]);
  });

  test('says whether the ledger was verified after the month', async () => {
    expect((await monthOf('2024-05')).proof).toContain('NOT YET since the month');
    await verifyLedgerSince(db(), { publisherId: 'aurora', all: true, savesProgress: true });
    expect((await monthOf('2024-05')).proof).toContain('Yes, by a command');
    const finance = await asRole(service(), 'finance');
    await finance('POST', '/ledger/verifications', { all: true });
    await runVerification(db(), 'aurora', new AbortController().signal);
    expect((await monthOf('2024-05')).proof).toContain('full: everything was compared');
    await finance('POST', '/ledger/verifications', { all: true });
    await admin.query(
      `update ledger_verification set status = 'NotExplained', started_at = now(), ended_at = now(), broken_rule = 'a rule', broken_place = 'a place' where status = 'Waiting'`,
    );
    expect((await monthOf('2024-05')).proof).toMatch(
      /NO\. The last verification found a difference:\r\n {2}rule +a rule/,
    );
  });
});

describe('exporting a month', () => {
  test('requires the permissions to export and to pay, and the publisher’s own month', async () => {
    const { owner, finance, ...others } = await asEveryRole(service());
    for (const ask of [owner, finance])
      expect((await ask('GET', '/payouts/month.zip?month=2024-05')).status).toBe(200);
    for (const [role, ask] of Object.entries(others))
      expect(await ask('GET', '/payouts/month.zip?month=2024-05'), role).toMatchObject({ status: 403 });
    const rival = await asRole(service(), 'owner', 'rival');
    expect((await rival('GET', path('2024-05'))).status).toBe(404);
    for (const month of ['2024-13', '24-05', '', '2098-01'])
      expect(await owner('GET', `/payouts/month.zip?month=${month}`), month).toMatchObject({
        status: 400,
        body: { code: 'InvalidInput' },
      });
    expect((await owner('GET', '/payouts/month.zip?month=2024-05&group=eu')).status).toBe(400);
  });

  test('is in the audit log', async () => {
    const entries = await entriesOf(db(), () => download('2024-05'));
    expect(entries).toMatchObject([
      {
        action: 'payout-month.bundle',
        target: 'payout-month:2024-05',
        after: { asOf: '2024-06-01T00:00:00.000Z', isClosed: true },
      },
    ]);
  });

  test('reports the current month up to a second ago, and says that it is not over', async () => {
    const { readMe, statements } = await monthOf(new Date(Date.now() - 10_000).toISOString().slice(0, 7));
    expect(readMe).toContain('THE MONTH IS NOT OVER');
    expect(sumOf(statements, 'closing')).toEqual(await ledgerUpTo('2025-01-01Z'));
  });
});

describe('a large month', () => {
  const creators = Number(process.env.MONTH_CREATORS ?? 3_000);
  let large: Record<string, string>;
  beforeAll(async () => {
    await makeLargeMonth(creators);
    large = await tokenOf('many');
  }, 600_000);

  test('has a line for each creator, also beyond one page, and adds up', async () => {
    const startedAt = performance.now();
    const response = await fetch(service().url + path('2026-03', 'many'), { headers: large });
    const files = readZip(Buffer.from(await response.arrayBuffer()));
    if (creators > 3_000) process.stdout.write(`${creators} creators: ${performance.now() - startedAt} ms\n`);
    const lines: Line[] = parse(files.get('statements.csv')?.text ?? '', { columns: true, bom: true });
    expect(lines).toHaveLength(creators);
    expect(new Set(lines.map(({ memberId }) => memberId)).size).toBe(creators);
    expect(sumOf(lines, 'closing')).toEqual({ USD: creators * 20 });
    expect(files.get('README.txt')?.text).not.toContain('DOES NOT AGREE');
  }, 600_000);

  test('cuts the connection when the database fails, and frees everything when the client leaves', async () => {
    const response = await fetch(service().url + path('2026-03', 'many'), { headers: large });
    const reader = response.body?.getReader();
    await reader?.read();
    await admin.query('alter table clawback rename to clawback_gone');
    const readAll = async (): Promise<void> => {
      for (let piece = await reader?.read(); piece?.done === false; ) piece = await reader?.read();
    };
    await expect(readAll()).rejects.toThrow();
    await admin.query('alter table clawback_gone rename to clawback');

    const { hostname, port } = new URL(service().url);
    for (let clients = 0; clients < 2; clients += 1) {
      const socket = connect(Number(port), hostname);
      socket.write(
        `GET ${path('2026-03', 'many')} HTTP/1.1\r\nhost: here\r\nauthorization: ${large.authorization}\r\n\r\n`,
      );
      await once(socket, 'data');
      socket.destroy();
    }
    const { usage } = service().testDatabase.database;
    for (let tries = 0; usage().idle < usage().total; tries += 1) {
      expect(tries, 'no further page is read').toBeLessThan(100);
      await sleep(20);
    }
    // Both of the person's export slots are free again.
    expect((await fetch(service().url + path('2026-03', 'many'), { headers: large })).status).toBe(200);
  });
});

/**
 * Creates a publisher whose creators each earned 10 in February and 30 in March, and were paid 20 in March and 5 in
 * April.
 */
async function makeLargeMonth(creators: number): Promise<void> {
  const id = (kind: string): string =>
    `('019c0000-0000-7000-8000-${kind}' || lpad(to_hex(n), 11, '0'))::uuid`;
  await admin.query(`
    insert into publisher (publisher_id, name) values ('many', 'Many');
    insert into creator_group (publisher_id, group_id, name, share_millionths, hold_days) values ('many', 'main', 'main', 100000, 0);
    insert into creator_account (account_id, name) select 'many_' || n, 'Creator ' || n from generate_series(1, ${creators}) n;
    insert into membership (publisher_id, membership_id, group_id, account_id, status)
    select 'many', ${id('0')}, 'main', 'many_' || n, 'Approved' from generate_series(1, ${creators}) n;
    insert into ledger_entry (publisher_id, subject_id, kind, membership_id, currency, amount_minor, created_at)
    select 'many', (sent || lpad(to_hex(n), 12, '0'))::uuid, kind, ${id('0')}, 'USD', amount, at::timestamptz
    from generate_series(1, ${creators}) n, (values
      ('019c1000-0000-7000-8000-', 'payment', 10, '2026-02-10Z'), ('019cb000-0000-7000-8000-', 'payment', 30, '2026-03-10Z'),
      ('019cb000-0000-7000-8000-', 'payout', -20, '2026-03-11Z'), ('019d5000-0000-7000-8000-', 'payout', -5, '2026-04-11Z')
    ) e (sent, kind, amount, at);
    insert into member_balance (publisher_id, membership_id, currency, balance_minor)
    select 'many', ${id('0')}, 'USD', 15 from generate_series(1, ${creators}) n;
    insert into payout_batch (publisher_id, batch_id, group_id, currency, as_of, status, total_minor, member_count, row_count,
                              created_at, paid_at, planned_count, number)
    values ('many', '019cb000-0000-7000-8000-000000000000', 'main', 'USD', '2026-03-11Z', 'Paid', 20 * ${creators}, ${creators},
            ${creators}, '2026-03-11Z', '2026-03-12Z', ${creators}, 9001);
    insert into payout_item (publisher_id, item_id, batch_id, membership_id, row_count, payments_minor, adjustments_minor, amount_minor,
                             reference)
    select 'many', ('019cb000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '019cb000-0000-7000-8000-000000000000',
           ${id('0')}, 1, 20, 0, 20, '9001-' || lpad(n::text, 5, '0')
    from generate_series(1, ${creators}) n;
    analyze`);
}
