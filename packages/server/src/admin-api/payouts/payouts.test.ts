import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { until } from '../../../test/attribution-process.ts';
import { writtenEntries } from '../../../test/audit.ts';
import { useMoney } from '../../../test/money.ts';
import { signIn } from '../../../test/staff.ts';
import { testActor } from '../../../test/test-actor.ts';
import { connect } from '../../../test/test-database.ts';
import { createToken } from '../../accounts/tokens/create-token.ts';
import { systemClock } from '../../platform/clock.ts';

const money = useMoney();
const { service, makeGroup, earn, settle } = money;
let finance: Asking;
beforeAll(async () => {
  finance = await asRole(service(), 'finance');
});
afterEach(() => money.expectSound());

const entriesAbout = async (target: string) =>
  (await writtenEntries(money.db())).filter((entry) => entry.target === target);
const previewGroup = async (group: string) => (await finance('GET', `/payouts/preview?group=${group}`)).body;
const createAt = (groupId: string, asOf: string, ask = finance) => ask('POST', '/payouts', { groupId, asOf });

describe('without the permission', () => {
  test('a role cannot create, cancel, pay or claw back', async () => {
    await makeGroup('closed');
    await earn('closed', 'A', 5);
    await settle();
    const { asOf } = await previewGroup('closed');
    const { owner, finance: payer, ...others } = await asEveryRole(service());
    for (const ask of Object.values(others))
      for (const [path, body] of [
        ['/payouts', { groupId: 'closed', asOf }],
        ['/payouts/x/pay', { totalMinor: '5' }],
        ['/payouts/x/cancel', {}],
        ['/clawbacks', { transactionId: 't', status: 'Refund', totalMinor: '5' }],
      ] as const)
        expect(await ask('POST', path, body)).toMatchObject({ status: 403, body: { code: 'Forbidden' } });
    expect(await money.payouts()).toEqual([]);
  });

  test('an operator token cannot pay or claw back, because it never signs in', async () => {
    for (const path of ['/payouts/x/pay', '/clawbacks'])
      expect(await finance('POST', path, {})).toMatchObject({ status: 403, body: { code: 'Forbidden' } });
  });
});

describe('creating a payout from a preview', () => {
  test('pays exactly the amounts shown, once, even if more has been posted since', async () => {
    await makeGroup('frozen');
    await earn('frozen', 'A', 150);
    await earn('frozen', 'B', 99);
    await settle();
    const { asOf, totals } = await previewGroup('frozen');
    await earn('frozen', 'A', 1_000);
    await settle();
    const created = await createAt('frozen', asOf);
    expect(created).toMatchObject({
      status: 200,
      body: {
        isDone: true,
        payouts: [
          {
            status: 'Created',
            currency: 'USD',
            totalMinor: totals[0].due.totalMinor,
            memberCount: 2,
            plannedCount: 2,
            createdBy: { kind: 'token' },
            asOf,
          },
        ],
      },
    });
    expect((await createAt('frozen', asOf)).body).toEqual(created.body);
    expect(await finance('GET', `/payouts/preview?group=frozen&asOf=${asOf}`)).toMatchObject({ status: 409 });
    expect((await previewGroup('frozen')).totals).toMatchObject([{ due: { totalMinor: '1000' } }]);
    expect((await finance('GET', '/payouts?group=frozen')).body.rows).toHaveLength(1);
    expect((await finance('GET', '/payouts?group=frozen&status=Paid')).body.rows).toEqual([]);
    const several = (query: string) => finance('GET', `/payouts?group=frozen&status=Paid,Created${query}`);
    expect((await several('&currency=USD')).body.rows).toHaveLength(1);
    expect((await several('&currency=EUR')).body.rows).toEqual([]);
  });

  test('is rejected and pays nothing when the amounts due changed and it must pay exactly the preview', async () => {
    await makeGroup('changed');
    const { transactionId } = await earn('changed', 'A', 150);
    await settle();
    const { asOf } = await previewGroup('changed');
    await money.patch(transactionId, { form: { action: 'Refund' } });
    const refused = await finance('POST', '/payouts', { groupId: 'changed', asOf, exactly: true });
    expect(refused).toMatchObject({ status: 409, body: { code: 'Conflict' } });
    expect(refused.body.message).toContain('Nothing was paid');
  });

  test('returns a payout that is being created instead of starting another', async () => {
    await makeGroup('steps');
    await earn('steps', 'A', 150);
    await settle();
    const { asOf } = await previewGroup('steps');
    await money.query(sql`
      insert into payout_batch (publisher_id, batch_id, group_id, currency, as_of, status, total_minor, member_count, row_count,
                                worked_until, planned_count, number)
      values ('aurora', '0197a000-0000-7000-8000-00000000000a', 'steps', 'USD', ${asOf}, 'Preparing', 0, 0, 0,
              now() + interval '1 minute', 40, 9001)`);
    const underWay = await createAt('steps', asOf);
    expect(underWay).toMatchObject({
      status: 202,
      body: { isDone: false, payouts: [{ status: 'Preparing', memberCount: 0, plannedCount: 40 }] },
    });
    expect((await finance('GET', '/payouts?group=steps')).body.rows).toHaveLength(1);
    await money.cancel('0197a000-0000-7000-8000-00000000000a');
    expect((await finance('GET', '/payouts?group=steps')).body.rows).toEqual([]);
  });

  test('continues in the background and reports its progress when it takes a long time', async () => {
    await makeGroup('slow');
    await earn('slow', 'A', 150);
    await settle();
    const { asOf } = await previewGroup('slow');
    const blocker = await connect(service().testDatabase.connection);
    await blocker.query(
      "begin; select 1 from membership where publisher_id = 'aurora' and group_id = 'slow' for update",
    );
    expect(await createAt('slow', asOf)).toMatchObject({
      status: 202,
      body: { isDone: false, payouts: [{ status: 'Preparing', memberCount: 0, plannedCount: 1 }] },
    });
    expect(await createAt('slow', asOf)).toMatchObject({ status: 202 });
    await sleep(1_000); // longer than a request's database time limit
    await blocker.query('commit');
    await until('the payout to be created', async () => {
      const { rows } = (await finance('GET', '/payouts?group=slow')).body;
      return rows.length === 1 && rows[0].status === 'Created' && rows[0].memberCount === 1;
    });
  });

  test('is rejected for an unknown group or without asOf', async () => {
    expect(await createAt('nowhere', '2026-01-01T00:00:00Z')).toMatchObject({ status: 404 });
    expect(await finance('POST', '/payouts', { groupId: 'main' })).toMatchObject({
      status: 400,
      body: { code: 'InvalidInput' },
    });
  });
});

describe('a payout', () => {
  test('lists its items in pages, only for its own publisher', async () => {
    await makeGroup('items');
    await earn('items', 'A', 150);
    await earn('items', 'B', 50);
    await settle();
    const { asOf } = await previewGroup('items');
    const [{ payoutId }] = (await createAt('items', asOf)).body.payouts;
    const shown = await finance('GET', `/payouts/${payoutId}`);
    expect(shown.body).toMatchObject({
      payout: { payoutId, status: 'Created' },
      items: [
        { amountMinor: '150', reference: expect.stringMatching(/^\d{4}-0000[12]$/) },
        { amountMinor: '50' },
      ],
      nextCursor: null,
    });
    const rival = await asRole(service(), 'owner', 'rival');
    expect(await rival('GET', `/payouts/${payoutId}`)).toMatchObject({ status: 404 });
    expect(await finance('GET', '/payouts/not-there')).toMatchObject({ status: 404 });
  });

  test('can be canceled before it is paid, idempotently, with a reason in the audit log', async () => {
    await makeGroup('back');
    await earn('back', 'A', 150);
    await settle();
    const { asOf } = await previewGroup('back');
    const [{ payoutId }] = (await createAt('back', asOf)).body.payouts;
    const cancelled = await finance('POST', `/payouts/${payoutId}/cancel`, { reason: 'wrong month' });
    expect(cancelled).toMatchObject({
      status: 200,
      body: { isDone: true, payout: { status: 'Cancelled', wasUndone: false } },
    });
    expect(await finance('POST', `/payouts/${payoutId}/cancel`, {})).toMatchObject({ status: 200 });
    const entries = await entriesAbout(`payout:${payoutId}`);
    expect(entries.map((entry) => [entry.action, entry.reason, entry.actor_kind])).toEqual([
      ['payout.create', null, 'token'],
      ['payout.cancel', 'wrong month', 'token'],
    ]);
    expect((await previewGroup('back')).totals).toMatchObject([{ due: { totalMinor: '150' } }]);
  });

  test('exports names without formulas and ids as text, for roles that may export', async () => {
    await money.provisionGroup(
      'file',
      `revShare: 10, members: [ { id: acc_file, name: "=1+1", playerId: "007", codes: [ { code: FILE, group: file } ] } ]`,
    );
    await earn('file', 'A', 1_234, { code: 'FILE' });
    await settle();
    const { asOf } = await previewGroup('file');
    const [{ payoutId }] = (await createAt('file', asOf)).body.payouts;
    const support = await asRole(service(), 'support');
    expect(await support('GET', `/payouts/${payoutId}/items.csv`)).toMatchObject({ status: 403 });
    const isExported = async () => (await finance('GET', `/payouts/${payoutId}`)).body.isExported;
    expect(await isExported(), 'a rejected export').toBe(false);
    const { status, text, headers } = await finance('GET', `/payouts/${payoutId}/items.csv`);
    expect(await isExported()).toBe(true);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="payout-USD-${payoutId}.csv"`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text.split('\r\n')[1]).toContain(
      `${payoutId},Created,"acc_file","007",'=1+1,USD,12.34,1234,1,12.34,0.00,0.00,`,
    );
    const entries = await entriesAbout(`payout:${payoutId}`);
    expect(entries.map(({ action }) => action)).toEqual(['payout.create', 'payout.export']);
  });
});

describe('marking as paid', () => {
  const createPayout = async (group: string, by = finance) => {
    await makeGroup(group);
    await earn(group, 'A', 1_500);
    await settle();
    const { asOf } = await previewGroup(group);
    return (await createAt(group, asOf, by)).body.payouts[0].payoutId as string;
  };
  const markPaid = async (ask: Asking, payoutId: string, totalMinor: string) =>
    ask('POST', `/payouts/${payoutId}/pay`, { totalMinor });

  test('requires the total and a recent sign-in, and is recorded once', async () => {
    const payoutId = await createPayout('pay');
    const { ask: stale } = await signIn(service(), 'finance', { confirmedMsAgo: 301_000 });
    expect(await markPaid(stale, payoutId, '1500')).toMatchObject({
      status: 403,
      body: { code: 'SignInAgain' },
    });
    const { ask, userId } = await signIn(service(), 'finance');
    const wrong = await markPaid(ask, payoutId, '1501');
    expect(wrong).toMatchObject({ status: 409, body: { code: 'Conflict' } });
    expect(wrong.body.message).toContain('15.00 USD, not 15.01');
    expect(await markPaid(ask, payoutId, '1500')).toMatchObject({
      status: 200,
      body: { status: 'Paid', paidBy: { kind: 'staff', id: userId } },
    });
    expect((await markPaid(ask, payoutId, '1500')).status).toBe(200);
    expect((await entriesAbout(`payout:${payoutId}`)).map(({ action }) => action)).toEqual([
      'payout.create',
      'payout.mark-paid',
    ]);
    expect(await ask('POST', `/payouts/${payoutId}/cancel`, {})).toMatchObject({ status: 409 });
  });

  test('needs a second person if the publisher requires one', async () => {
    const creator = await signIn(service(), 'owner');
    const other = await signIn(service(), 'finance');
    const payoutId = await createPayout('eyes', creator.ask);
    await money.query(sql`insert into staff_rules (publisher_id, four_eyes_payouts) values ('aurora', true)`);
    const own = await markPaid(creator.ask, payoutId, '1500');
    expect(own).toMatchObject({ status: 403, body: { code: 'Forbidden' } });
    expect(own.body.message).toContain('a different person');
    const needsAnother = async (ask: Asking, id = payoutId) =>
      (await ask('GET', `/payouts/${id}`)).body.needsAnother;
    expect([await needsAnother(creator.ask), await needsAnother(other.ask)]).toEqual([true, false]);
    expect(await markPaid(other.ask, payoutId, '1500')).toMatchObject({ status: 200 });
    // A token counts as the person who created it. Another person must therefore mark as paid a payout that was
    // created with the token.
    const token = await creator.ask('POST', '/tokens', {
      name: 'four eyes',
      role: 'finance',
      expiresInDays: 1,
    });
    const byToken = await createPayout('eyes-token', (method, path, json) =>
      service().call(method, `/admin/v1/publishers/aurora${path}`, {
        key: null,
        headers: { authorization: `Bearer ${token.body.token}` },
        ...(json !== undefined && { json }),
      }),
    );
    expect(await markPaid(creator.ask, byToken, '1500')).toMatchObject({
      status: 403,
      body: { code: 'Forbidden' },
    });
    expect([await needsAnother(creator.ask, byToken), await needsAnother(other.ask, byToken)]).toEqual([
      true,
      false,
    ]);
    expect(await markPaid(other.ask, byToken, '1500')).toMatchObject({ status: 200 });
    await money.query(sql`delete from staff_rules where publisher_id = 'aurora'`);
    const next = await createPayout('eyes-off', creator.ask);
    expect(await markPaid(creator.ask, next, '1500')).toMatchObject({ status: 200 });
  });
});

describe('clawing back', () => {
  test('claws back the paid rows of a purchase when the total matches', async () => {
    await makeGroup('claw');
    const paid = await earn('claw', 'A', 640);
    await settle();
    const { ask } = await signIn(service(), 'finance');
    const take = (totalMinor: string, more = {}) =>
      ask('POST', '/clawbacks', {
        transactionId: paid.transactionId,
        status: 'Chargeback',
        totalMinor,
        ...more,
      });
    expect(await take('640')).toMatchObject({ status: 409 });
    const [payout] = await money.create('claw');
    expect(await take('640', { rows: [paid.id] })).toMatchObject({ status: 409 });
    await money.markPaid(payout?.batchId ?? '');
    const wrong = await take('639');
    expect(wrong.body.message).toContain('6.40 USD, not 6.39');
    expect(await take('640', { rows: ['0197a000-0000-7000-8000-000000000001'] })).toMatchObject({
      status: 404,
    });
    const taken = await take('640', { reason: 'bank case 4711' });
    expect(taken).toMatchObject({
      status: 200,
      body: { rows: [{ rowId: paid.id, isTakenBack: true, amountMinor: '640', message: null }] },
    });
    expect((await take('640')).body.message).toContain('no paid rows left');
    expect(await entriesAbout(`transaction:${paid.transactionId}`)).toMatchObject([
      { action: 'payout.claw-back', actor_kind: 'staff', reason: 'bank case 4711' },
    ]);
  });

  test('takes back a part, several times up to what was paid, and lists each part', async () => {
    await makeGroup('parts');
    const paid = await earn('parts', 'A', 640);
    await settle();
    const [payout] = await money.create('parts');
    await money.markPaid(payout?.batchId ?? '');
    const { ask } = await signIn(service(), 'finance');
    const take = (amountMinor: string, totalMinor = amountMinor, row = paid.id) =>
      ask('POST', '/clawbacks', {
        transactionId: paid.transactionId,
        amounts: [{ row, amountMinor }],
        status: 'Refund',
        totalMinor,
      });
    for (const amount of ['0', '-5', '641']) {
      const { status, body } = await take(amount);
      expect([status, body.message]).toEqual([400, expect.stringContaining('from 0.01 to 6.40 USD')]);
    }
    expect(await take('1.5')).toMatchObject({ status: 400 });
    expect(await take('100', '640')).toMatchObject({ status: 409 });
    expect(await take('100', '100', '0197a000-0000-7000-8000-000000000001')).toMatchObject({ status: 400 });
    expect(await take('100')).toMatchObject({ status: 200, body: { rows: [{ amountMinor: '100' }] } });
    expect(await take('541')).toMatchObject({ status: 400 });
    expect((await ask('GET', `/transactions/${paid.transactionId}`)).body.rows).toMatchObject([
      { row: { status: 'Normal', refundedMinor: '100' } },
    ]);
    await money.expectSound();
    const both = await Promise.all([take('540'), take('540')]);
    expect(both.map(({ body }) => body.rows?.[0]?.isTakenBack ?? false).sort()).toEqual([false, true]);
    expect((await ask('GET', `/transactions/${paid.transactionId}`)).body.rows).toMatchObject([
      { row: { status: 'Refund' } },
    ]);
    const listed = (await ask('GET', '/clawbacks?group=parts')).body.rows;
    expect(listed.map((each: Record<string, string>) => [each.amountMinor, each.status])).toEqual([
      ['540', 'Refund'],
      ['100', 'Refund'],
    ]);
    await money.expectSound();
  });
});

test('a CSV file begins with the UTF-8 byte order mark', async () => {
  const token = {
    publisherId: 'aurora',
    name: 'bytes',
    role: 'finance',
    expiresAt: new Date('2099-01-01'),
  } as const;
  const created = await createToken(money.db(), testActor, token, systemClock.now());
  const path = '/admin/v1/publishers/aurora/payouts/month.csv?month=2026-01';
  const answer = await fetch(service().url + path, {
    headers: { authorization: `Bearer ${created.token}` },
  });
  expect([...new Uint8Array(await answer.arrayBuffer())].slice(0, 4)).toEqual([0xef, 0xbb, 0xbf, 0x6d]);
});

describe('a month', () => {
  test('returns earnings, reversals and payouts by group and currency, as JSON and CSV', async () => {
    await makeGroup('month');
    await earn('month', 'A', 1_000, { transactionDate: '2024-03-01T00:00:00.000Z' });
    await earn('month', 'A', 7, { transactionDate: '2024-02-29T23:59:59.999Z' });
    const gone = await earn('month', 'B', 400, { transactionDate: '2024-03-31T23:59:59.999Z' });
    await settle();
    await money.patch(gone.transactionId, { form: { action: 'Refund' } });
    const { body } = await finance('GET', '/payouts/month?month=2024-03&group=month');
    expect(body).toMatchObject({
      from: '2024-03-01T00:00:00.000Z',
      until: '2024-04-01T00:00:00.000Z',
      sums: [
        { groupId: 'month', currency: 'USD', earnedMinor: '1400', reversedMinor: '400', paidMinor: '0' },
      ],
      payouts: [],
    });
    const [payout] = await money.create('month');
    await money.markPaid(payout?.batchId ?? '');
    const month = systemClock.now().toISOString().slice(0, 7);
    const now = await finance('GET', `/payouts/month?month=${month}&group=month`);
    expect(now.body).toMatchObject({
      sums: [{ earnedMinor: '0', paidMinor: '1007', paidCount: 1 }],
      payouts: [{ payoutId: payout?.batchId, status: 'Paid' }],
    });
    const file = await finance('GET', `/payouts/month.csv?month=${month}&group=month`);
    expect(file.text.trim().split('\r\n')[4]).toMatch(
      new RegExp(`^${month},"month",paid,USD,-10.07,-1007,1,"${payout?.batchId}",`),
    );
    const viewer = await asRole(service(), 'viewer');
    expect(await viewer('GET', '/payouts/month.csv?month=2024-03')).toMatchObject({ status: 403 });
    expect(await viewer('GET', '/payouts/month?month=2024-13')).toMatchObject({ status: 400 });
  });
});

test('lists whether each row of a purchase can be clawed back, by transactionId or row id', async () => {
  await makeGroup('rows');
  const paid = await earn('rows', 'A', 640);
  await settle();
  const verdict = async (named: string) =>
    (await finance('GET', `/clawbacks/rows?transaction=${named}`)).body.rows[0]?.verdict;
  expect(await verdict(paid.transactionId)).toBe('not paid');
  const [payout] = await money.create('rows');
  expect(await verdict(paid.id)).toBe('in a payout');
  await money.markPaid(payout?.batchId ?? '');
  expect(await verdict(paid.transactionId)).toBe('can');
  await money.clawBack(paid.id, 'Refund');
  expect(await verdict(paid.transactionId)).toBe('went back');
  expect((await finance('GET', '/clawbacks?group=rows&waiting=true')).body.rows).toMatchObject([
    {
      rowId: paid.id,
      transactionId: paid.transactionId,
      amountMinor: '640',
      status: 'Refund',
      payoutId: null,
    },
  ]);
  expect(await finance('GET', '/clawbacks/rows?transaction=nothing')).toMatchObject({ status: 404 });
});
