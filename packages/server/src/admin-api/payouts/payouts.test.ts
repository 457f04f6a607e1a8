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
const previewOf = async (group: string) => (await finance('GET', `/payouts/preview?group=${group}`)).body;
const createAt = (groupId: string, asOf: string, ask = finance) => ask('POST', '/payouts', { groupId, asOf });

describe('whoever has no permission', () => {
  test('makes, cancels, pays and takes back nothing', async () => {
    await makeGroup('closed');
    await earn('closed', 'A', 5);
    await settle();
    const { asOf } = await previewOf('closed');
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

  test('pays nothing and takes nothing back with an operator token, which signs in never', async () => {
    for (const path of ['/payouts/x/pay', '/clawbacks'])
      expect(await finance('POST', path, {})).toMatchObject({ status: 403, body: { code: 'Forbidden' } });
  });
});

describe('creating with the moment of a preview', () => {
  test('pays to the cent what it showed, even when more was posted since, and once', async () => {
    await makeGroup('frozen');
    await earn('frozen', 'A', 150);
    await earn('frozen', 'B', 99);
    await settle();
    const { asOf, totals } = await previewOf('frozen');
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
    expect((await previewOf('frozen')).totals).toMatchObject([{ due: { totalMinor: '1000' } }]);
    expect((await finance('GET', '/payouts?group=frozen')).body.rows).toHaveLength(1);
    expect((await finance('GET', '/payouts?group=frozen&status=Paid')).body.rows).toEqual([]);
  });

  test('is refused, and pays nothing, when what was due changed', async () => {
    await makeGroup('changed');
    const { transactionId } = await earn('changed', 'A', 150);
    await settle();
    const { asOf } = await previewOf('changed');
    await money.patch(transactionId, { form: { action: 'Refund' } });
    const refused = await createAt('changed', asOf);
    expect(refused).toMatchObject({ status: 409, body: { code: 'Conflict' } });
    expect(refused.body.message).toContain('nothing was paid');
  });

  test('shows one that is under way, and starts no second', async () => {
    await makeGroup('steps');
    await earn('steps', 'A', 150);
    await settle();
    const { asOf } = await previewOf('steps');
    await money.query(sql`
      insert into payout_batch (publisher_id, batch_id, group_id, currency, as_of, status, total_minor, member_count, row_count,
                                worked_until, planned_count)
      values ('aurora', '0197a000-0000-7000-8000-00000000000a', 'steps', 'USD', ${asOf}, 'Preparing', 0, 0, 0,
              now() + interval '1 minute', 40)`);
    const underWay = await createAt('steps', asOf);
    expect(underWay).toMatchObject({
      status: 202,
      body: { isDone: false, payouts: [{ status: 'Preparing', memberCount: 0, plannedCount: 40 }] },
    });
    expect((await finance('GET', '/payouts?group=steps')).body.rows).toHaveLength(1);
    await money.cancel('0197a000-0000-7000-8000-00000000000a');
    expect((await finance('GET', '/payouts?group=steps')).body.rows).toEqual([]);
  });

  test('that takes longer than somebody waits goes on by itself, and shows how far it is', async () => {
    await makeGroup('slow');
    await earn('slow', 'A', 150);
    await settle();
    const { asOf } = await previewOf('slow');
    const holder = await connect(service().testDatabase.connection);
    await holder.query(
      "begin; select 1 from membership where publisher_id = 'aurora' and group_id = 'slow' for update",
    );
    expect(await createAt('slow', asOf)).toMatchObject({
      status: 202,
      body: { isDone: false, payouts: [{ status: 'Preparing', memberCount: 0, plannedCount: 1 }] },
    });
    expect(await createAt('slow', asOf)).toMatchObject({ status: 202 });
    await sleep(1_000); // longer than a request may ask the database
    await holder.query('commit');
    await until('the payout to be made', async () => {
      const { rows } = (await finance('GET', '/payouts?group=slow')).body;
      return rows.length === 1 && rows[0].status === 'Created' && rows[0].memberCount === 1;
    });
  });

  test('of a group that is not there, or without a moment, is refused', async () => {
    expect(await createAt('nowhere', '2026-01-01T00:00:00Z')).toMatchObject({ status: 404 });
    expect(await finance('POST', '/payouts', { groupId: 'main' })).toMatchObject({
      status: 400,
      body: { code: 'InvalidInput' },
    });
  });
});

describe('a payout', () => {
  test('shows its items, page by page, and is nobody else’s', async () => {
    await makeGroup('items');
    await earn('items', 'A', 150);
    await earn('items', 'B', 50);
    await settle();
    const { asOf } = await previewOf('items');
    const [{ payoutId }] = (await createAt('items', asOf)).body.payouts;
    const shown = await finance('GET', `/payouts/${payoutId}`);
    expect(shown.body).toMatchObject({
      payout: { payoutId, status: 'Created' },
      items: [{ amountMinor: '150' }, { amountMinor: '50' }],
      nextCursor: null,
    });
    const stranger = await asRole(service(), 'owner', 'rival');
    expect(await stranger('GET', `/payouts/${payoutId}`)).toMatchObject({ status: 404 });
    expect(await finance('GET', '/payouts/not-there')).toMatchObject({ status: 404 });
  });

  test('is taken back before it is paid, twice as once, and says why in the audit log', async () => {
    await makeGroup('back');
    await earn('back', 'A', 150);
    await settle();
    const { asOf } = await previewOf('back');
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
    expect((await previewOf('back')).totals).toMatchObject([{ due: { totalMinor: '150' } }]);
  });

  test('is a file whose names are no formulas and whose ids are text, for those who may export', async () => {
    await money.provisionGroup(
      'file',
      `revShare: 10, members: [ { id: acc_file, name: "=1+1", playerId: "007", codes: [ { code: FILE, group: file } ] } ]`,
    );
    await earn('file', 'A', 1_234, { code: 'FILE' });
    await settle();
    const { asOf } = await previewOf('file');
    const [{ payoutId }] = (await createAt('file', asOf)).body.payouts;
    const support = await asRole(service(), 'support');
    expect(await support('GET', `/payouts/${payoutId}/items.csv`)).toMatchObject({ status: 403 });
    const { status, text, headers } = await finance('GET', `/payouts/${payoutId}/items.csv`);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="payout-USD-${payoutId}.csv"`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text.split('\r\n')[1]).toBe(
      `${payoutId},Created,"acc_file","007",'=1+1,USD,12.34,1234,1,12.34,0.00,0.00`,
    );
    const entries = await entriesAbout(`payout:${payoutId}`);
    expect(entries.map(({ action }) => action)).toEqual(['payout.create', 'payout.export']);
  });
});

describe('marking as paid', () => {
  const made = async (group: string, by = finance) => {
    await makeGroup(group);
    await earn(group, 'A', 1_500);
    await settle();
    const { asOf } = await previewOf(group);
    return (await createAt(group, asOf, by)).body.payouts[0].payoutId as string;
  };
  const paidBy = async (ask: Asking, payoutId: string, totalMinor: string) =>
    ask('POST', `/payouts/${payoutId}/pay`, { totalMinor });

  test('repeats the total, and says so once, by somebody who has just signed in', async () => {
    const payoutId = await made('pay');
    const { ask: stale } = await signIn(service(), 'finance', { confirmedMsAgo: 301_000 });
    expect(await paidBy(stale, payoutId, '1500')).toMatchObject({
      status: 403,
      body: { code: 'SignInAgain' },
    });
    const { ask, userId } = await signIn(service(), 'finance');
    const wrong = await paidBy(ask, payoutId, '1501');
    expect(wrong).toMatchObject({ status: 409, body: { code: 'Conflict' } });
    expect(wrong.body.message).toContain('15.00 USD, not of 15.01');
    expect(await paidBy(ask, payoutId, '1500')).toMatchObject({
      status: 200,
      body: { status: 'Paid', paidBy: { kind: 'staff', id: userId } },
    });
    expect((await paidBy(ask, payoutId, '1500')).status).toBe(200);
    expect((await entriesAbout(`payout:${payoutId}`)).map(({ action }) => action)).toEqual([
      'payout.create',
      'payout.mark-paid',
    ]);
    expect(await ask('POST', `/payouts/${payoutId}/cancel`, {})).toMatchObject({ status: 409 });
  });

  test('is for somebody else than who made it, where the publisher asks for that', async () => {
    const maker = await signIn(service(), 'owner');
    const other = await signIn(service(), 'finance');
    const payoutId = await made('eyes', maker.ask);
    await money.query(sql`insert into staff_rules (publisher_id, four_eyes_payouts) values ('aurora', true)`);
    const own = await paidBy(maker.ask, payoutId, '1500');
    expect(own).toMatchObject({ status: 403, body: { code: 'Forbidden' } });
    expect(own.body.message).toContain('somebody else');
    const seen = async (ask: Asking, id = payoutId) => (await ask('GET', `/payouts/${id}`)).body.needsAnother;
    expect([await seen(maker.ask), await seen(other.ask)]).toEqual([true, false]);
    expect(await paidBy(other.ask, payoutId, '1500')).toMatchObject({ status: 200 });
    // A token is whoever made it: nobody is the second person with one of theirs.
    const token = await maker.ask('POST', '/tokens', {
      name: 'four eyes',
      role: 'finance',
      expiresInDays: 1,
    });
    const program = await made('eyes-token', (method, path, json) =>
      service().call(method, `/admin/v1/publishers/aurora${path}`, {
        key: null,
        headers: { authorization: `Bearer ${token.body.token}` },
        ...(json !== undefined && { json }),
      }),
    );
    expect(await paidBy(maker.ask, program, '1500')).toMatchObject({
      status: 403,
      body: { code: 'Forbidden' },
    });
    expect([await seen(maker.ask, program), await seen(other.ask, program)]).toEqual([true, false]);
    expect(await paidBy(other.ask, program, '1500')).toMatchObject({ status: 200 });
    await money.query(sql`delete from staff_rules where publisher_id = 'aurora'`);
    const next = await made('eyes-off', maker.ask);
    expect(await paidBy(maker.ask, next, '1500')).toMatchObject({ status: 200 });
  });
});

describe('taking back what was paid', () => {
  test('takes the rows of a purchase that are paid, for the total that was said', async () => {
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
    expect((await take('640')).body.message).toContain('went back before');
    expect(await entriesAbout(`transaction:${paid.transactionId}`)).toMatchObject([
      { action: 'payout.claw-back', actor_kind: 'staff', reason: 'bank case 4711' },
    ]);
  });
});

test('a file begins with the mark by which spreadsheets know UTF-8', async () => {
  const asked = {
    publisherId: 'aurora',
    name: 'bytes',
    role: 'finance',
    expiresAt: new Date('2099-01-01'),
  } as const;
  const { token } = await createToken(money.db(), testActor, asked, systemClock.now());
  const path = '/admin/v1/publishers/aurora/payouts/month.csv?month=2026-01';
  const answer = await fetch(service().url + path, { headers: { authorization: `Bearer ${token}` } });
  expect([...new Uint8Array(await answer.arrayBuffer())].slice(0, 4)).toEqual([0xef, 0xbb, 0xbf, 0x6d]);
});

describe('a month', () => {
  test('is what it earned, took back and paid, by group and currency, and the same as a file', async () => {
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

test('rows of a purchase say what can be taken back of them, by transactionId or row', async () => {
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
