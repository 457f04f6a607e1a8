import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { announceDueSchedules } from '../src/revenue-shares/schedules/announce-due-schedules.ts';
import { purchase } from './fixtures.ts';
import { schedule } from './schedules.ts';
import { isoTime, useToldEvents } from './told-events.ts';

const {
  db,
  query,
  record,
  patch,
  refund,
  get,
  send,
  remove,
  provisionGroup,
  makeGroup,
  earn,
  settle,
  create,
  markPaid,
  clawBack,
  service,
  keys,
  told,
} = useToldEvents();

describe('transactions', () => {
  const recorded = 'Attribution/TransactionRecorded';
  const changed = 'Attribution/TransactionStatusChanged';
  const shown = async (transactionId: string) =>
    (await get(transactionId)).body.map(
      ({ transaction: { metrics, ...rest } }: { transaction: Record<string, unknown> }) => ({
        groupId: 'main',
        ...rest,
      }),
    );

  test('each row is sent as the API shows it, without metrics; a duplicate is not sent', async () => {
    const sent = purchase({
      playerName: '😀 "é"\u2028',
      skuId: 'battle-pass',
      memberSharePercent: 33.3333,
      metrics: {
        joinDate: '2026-01-01T00:00:00Z',
        conversion: { totalSpendToDate: { total: 1e-9, currency: 'USD' } },
      },
    });
    expect((await record(sent)).status).toBe(200);
    expect(await told()).toEqual([[recorded, (await shown(sent.transactionId))[0]]]);
    expect((await record(sent)).status).toBe(409);
    expect(await told()).toEqual([]);
  });

  test('a split, a list and Test rows are sent row by row, in order', async () => {
    const split = purchase();
    const test = purchase({ status: 'Test' });
    expect((await record([split, { ...split, code: 'BOB' }, test])).status).toBe(200);
    const rows = [...(await shown(split.transactionId)), ...(await shown(test.transactionId))];
    expect(rows).toHaveLength(3);
    expect((await told()).sort()).toEqual(rows.map((row) => [recorded, row]).sort());
  });

  test('a list that is rejected for a code or a duplicate sends nothing', async () => {
    const known = purchase();
    await record(known);
    await told();
    expect((await record([purchase(), purchase({ code: 'NOBODY' })])).status).toBe(400);
    expect((await record([purchase(), known])).status).toBe(409);
    expect(await told()).toEqual([]);
  });

  test('of many simultaneous calls with the same purchases, each row is sent once', async () => {
    const all = Array.from({ length: 10 }, () => purchase());
    await Promise.all([...all, ...all, ...all].map((each) => record(each)));
    const events = await told();
    expect(events.map(([, { transactionId }]) => transactionId).sort()).toEqual(
      all.map(({ transactionId }) => transactionId).sort(),
    );
  });

  test('a PATCH of the status sends an event for each row; a failed PATCH, or one of only the playerId, does not', async () => {
    const split = purchase();
    await record([split, { ...split, code: 'BOB' }]);
    await told();
    expect((await patch(split.transactionId, { json: { playerId: 'other' } })).status).toBe(200);
    expect((await patch(split.transactionId, { json: { action: 'Nothing' } })).status).toBe(400);
    expect(await told()).toEqual([]);
    expect((await patch(split.transactionId, { json: { action: 'Refund' } })).status).toBe(200);
    expect(await told()).toEqual((await shown(split.transactionId)).map((row: object) => [changed, row]));
  });

  test('a partial refund sends one event, the last one also sends the changed status, and a repeat sends nothing', async () => {
    const split = purchase({ subtotal: 1_000 });
    await record([split, { ...split, code: 'BOB' }]);
    await told();
    const { transactionId } = split;
    const part = { refundId: 'part', amount: 500, reason: 'Refund' };
    const first = await refund(transactionId, part);
    expect(await told()).toEqual([['Attribution/TransactionRefunded', { groupId: 'main', ...first.body }]]);
    expect((await refund(transactionId, part)).status).toBe(200);
    expect(
      (await refund(transactionId, { refundId: 'too much', amount: 1_501, reason: 'Refund' })).status,
    ).toBe(400);
    expect(await told()).toEqual([]);
    const [one] = first.body.rows;
    const rest = await refund(transactionId, { refundId: 'rest', rows: [{ id: one.id }], reason: 'Fraud' });
    expect(await told()).toMatchObject([
      [changed, { id: one.id, status: 'Fraud' }],
      ['Attribution/TransactionRefunded', { refundId: 'rest', amount: 750, rows: rest.body.rows }],
    ]);
  });

  test('a reinstatement sends one event, and the changed status; a repeat sends nothing', async () => {
    const sent = purchase({ subtotal: 1_000 });
    await record(sent);
    const { transactionId } = sent;
    await refund(transactionId, { refundId: 'all', reason: 'Refund' });
    await told();
    const reinstate = () =>
      service().call('POST', `/v1/attributions/transactions/${transactionId}/refunds/all/reinstate`, {
        key: keys().backend,
        json: { reason: 'it failed' },
      });
    const made = await reinstate();
    expect(await told()).toMatchObject([
      [changed, { transactionId, status: 'Normal' }],
      ['Attribution/TransactionReinstated', { groupId: 'main', ...made.body }],
    ]);
    expect((await reinstate()).status).toBe(200);
    expect(await told()).toEqual([]);
  });

  test('repeating a PATCH, even many times at once, changes no status and sends no events', async () => {
    const sent = purchase();
    await record(sent);
    await told();
    const again = () => patch(sent.transactionId, { json: { action: 'Refund', playerId: 'p-77' } });
    const answers = await Promise.all([again(), again(), again()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await again();
    expect(await told()).toMatchObject([[changed, { status: 'Refund', playerId: 'p-77' }]]);
    await patch(sent.transactionId, { json: { action: 'Fraud' } });
    expect(await told()).toMatchObject([[changed, { status: 'Fraud' }]]);
  });

  test('a payout is sent when created and when paid; a PATCH sends nothing for its rows; a clawback does', async () => {
    await provisionGroup('paying', 'name: Paying, revShare: 10');
    await makeGroup('paying');
    const { id, transactionId } = await earn('paying', 'A', 1_234);
    await settle();
    await told();
    const [payout] = await create('paying');
    const event = {
      payoutId: payout?.batchId,
      groupId: 'paying',
      currency: 'USD',
      totalMinor: '1234',
      memberCount: 1,
      rowCount: 1,
      asOf: isoTime,
    };
    expect(await told()).toEqual([['Payout/PayoutCreated', event]]);
    expect((await patch(transactionId, { json: { action: 'Refund' } })).status).toBe(409);
    expect(await told()).toEqual([]);
    await markPaid(payout?.batchId ?? '');
    expect(await told()).toEqual([['Payout/PayoutPaid', event]]);
    await markPaid(payout?.batchId ?? '').catch(() => undefined);
    expect(await told(), 'paid once').toEqual([]);
    await clawBack(id, 'Fraud');
    expect(await told()).toMatchObject([
      [changed, { id, transactionId, status: 'Fraud', groupId: 'paying' }],
    ]);
    await expect(clawBack(id, 'Fraud')).rejects.toThrow();
    expect(await told()).toEqual([]);
  });
});

describe('schedules', () => {
  const [started, ended] = ['RevenueShare/ScheduleStarted', 'RevenueShare/ScheduleEnded'];
  const hourMs = 3_600_000;
  const inHours = (hours: number): string => new Date(Date.now() + hours * hourMs).toISOString();
  const at = (hours: number): Promise<number> =>
    announceDueSchedules(db(), new Date(Date.now() + hours * hourMs));
  const make = async (from: number, to: number, changes: object = {}): Promise<string> => {
    const { status, body } = await send(
      'POST',
      '/scheduled-rev-shares',
      schedule({ startDate: inHours(from), endDate: inHours(to), ...changes }),
    );
    expect(status).toBe(200);
    return body.id;
  };
  const gone = (id: string) => remove(`/scheduled-rev-shares/${id}`);

  test('its start and its end are sent once each, by any worker, and nothing before', async () => {
    const tierId = '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90';
    const id = await make(1_000, 1_002, { tierRevenueShares: [{ tierId, revShare: 30.5 }] });
    await at(999);
    expect(await told()).toEqual([]);
    await Promise.all([at(1_001), at(1_001), at(1_001)]);
    const [[kind, event] = []] = await told();
    expect([kind, event]).toEqual([
      started,
      {
        id,
        revShare: 25,
        startDate: isoTime,
        endDate: isoTime,
        groupId: 'main',
        groupName: 'Aurora Creators',
        tierRevenueShares: [{ revShare: 30.5, tierId, tierName: 'Gold' }],
      },
    ]);
    await at(1_001.5);
    expect(await told()).toEqual([]);
    await Promise.all([at(1_003), at(1_003)]);
    expect(await told()).toEqual([[ended, event]]);
    await at(2_000);
    expect(await told()).toEqual([]);
    await gone(id);
    expect(await told(), 'deleted after its end').toEqual([]);
  });

  test('deleted while active it has ended; deleted before, nothing is sent', async () => {
    const running = await make(2_000, 2_010);
    await at(2_001);
    await told();
    await gone(running);
    expect(await told()).toMatchObject([[ended, { id: running }]]);
    await at(2_011);
    expect(await told()).toEqual([]);
    const upcoming = await make(3_000, 3_010);
    await gone(upcoming);
    await at(3_020);
    expect(await told()).toEqual([]);
  });

  test('one that ended before it was first checked is not sent', async () => {
    const id = await make(4_000, 4_001);
    await at(4_002);
    expect(await told()).toEqual([]);
    await gone(id);
  });

  test('replaced while active it is sent at its new end; postponed, it is sent when it starts again', async () => {
    const id = await make(-1, 5_010);
    await at(0);
    expect(await told()).toMatchObject([[started, { id }]]);
    const replace = async (from: number, to: number) => {
      const changes = { startDate: inHours(from), endDate: inHours(to), revShare: 40 };
      expect((await send('PUT', `/scheduled-rev-shares/${id}`, changes)).status).toBe(200);
    };
    await replace(-1, 5_020);
    await at(5_015);
    expect(await told()).toEqual([]);
    await at(5_021);
    expect(await told()).toMatchObject([[ended, { id, revShare: 40 }]]);
    await replace(6_000, 6_010);
    await at(6_001);
    expect(await told()).toMatchObject([[started, { id }]]);
    await gone(id);
  });

  test('an ended one that is extended is sent as started again', async () => {
    const id = await make(-3, -1);
    await announceDueSchedules(db(), new Date(Date.now() - 2 * hourMs));
    await at(0);
    expect((await told()).map(([kind]) => kind)).toEqual([started, ended]);
    const longer = { startDate: inHours(-3), endDate: inHours(7_000), revShare: 40 };
    expect((await send('PUT', `/scheduled-rev-shares/${id}`, longer)).status).toBe(200);
    await at(0);
    expect((await told()).map(([kind]) => kind)).toEqual([started]);
    await gone(id);
    expect((await told()).map(([kind]) => kind)).toEqual([ended]);
  });

  test('applying a file again sends nothing; changing only the shares does not start it again', async () => {
    const [start, end] = [inHours(-1), inHours(9_000)];
    const file = (revShare: number) =>
      provisionGroup(
        'main',
        `schedules: [ { startDate: "${start}", endDate: "${end}", revShare: ${revShare},
           tiers: [ { tier: Gold, revShare: 30 } ] } ]`,
      );
    const stored = () =>
      query(sql`
        select s.xmin::text, x.xmin::text as share_xmin
        from scheduled_share s join scheduled_tier_share x using (publisher_id, schedule_id)
        where s.deleted_at is null order by s.schedule_id`);
    await file(25);
    await at(0);
    expect((await told()).map(([kind]) => kind)).toEqual([started]);
    const before = await stored();
    await file(25);
    await at(0);
    expect(await told()).toEqual([]);
    expect(await stored(), 'not even written').toEqual(before);
    await file(26);
    await at(0);
    expect(await told()).toEqual([]);
    expect(await stored()).not.toEqual(before);
    await at(9_001);
    expect(await told()).toMatchObject([[ended, { revShare: 26 }]]);
  });
});
