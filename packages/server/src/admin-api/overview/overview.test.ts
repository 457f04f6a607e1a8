import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { asEveryRole, asRole } from '../../../test/admin.ts';
import { addEndpoint } from '../../../test/endpoints.ts';
import { purchase } from '../../../test/fixtures.ts';
import { useMoney } from '../../../test/money.ts';
import { connect } from '../../../test/test-database.ts';

const { service, db, query, record, settle, patch, makeGroup, earn, create, markPaid, cancel, clawBack } =
  useMoney({
    clock: { now: () => new Date('2026-06-15T12:00:00Z') },
  });
const on = (day: string) => `2026-${day}T12:00:00.000Z`;

test('the overview is readable by every role, but only for its own publisher', async () => {
  const rival = await asRole(service(), 'owner', 'rival');
  for (const path of [
    'overview?',
    'rollups?',
    'top-creators?',
    'rising-creators?currency=USD',
    'attention?',
    'changes?',
    'tail?',
  ]) {
    for (const ask of Object.values(await asEveryRole(service())))
      expect(await ask('GET', `/${path}`), path).toMatchObject({ status: 200 });
    expect(await rival('GET', `/admin/v1/publishers/aurora/${path}`), path).toMatchObject({ status: 404 });
    expect(await rival('GET', `/${path}&group=moba`), path).toMatchObject({
      status: 400,
      body: { code: 'InvalidGroup' },
    });
  }
});

describe('sums', () => {
  test('cover a period and the preceding period, by currency, with reversals', async () => {
    const owner = await asRole(service(), 'owner');
    await record([
      purchase({ transactionId: 'jun', subtotal: 1_000, transactionDate: on('06-10') }),
      purchase({ transactionId: 'jun-2', subtotal: 3_000, transactionDate: on('06-10'), code: 'BOB' }),
      purchase({ transactionId: 'jun-eur', subtotal: 500, currency: 'EUR', transactionDate: on('06-11') }),
      purchase({ transactionId: 'may', subtotal: 2_000, transactionDate: on('05-30'), code: 'BOB' }),
      purchase({ transactionId: 'edge', subtotal: 7_000, transactionDate: '2026-06-07T23:59:59.999Z' }),
    ]);
    await record(
      purchase({ transactionId: 'other', subtotal: 100, code: 'DORA', transactionDate: on('06-10') }),
      {
        query: '?groupId=moba',
      },
    );
    await record(purchase({ transactionId: 'tried', status: 'Test', transactionDate: on('06-10') }));
    await settle();
    await patch('jun-2', { json: { action: 'Refund' } });
    const { body } = await owner('GET', '/overview?from=2026-06-09&until=2026-06-16&group=main');
    expect(body.period).toEqual({ from: '2026-06-09', until: '2026-06-16' });
    expect(body.compared).toEqual({
      days: { from: '2026-06-09', until: '2026-06-15' },
      before: { from: '2026-06-02', until: '2026-06-08' },
    });
    expect(body.currencies).toMatchObject([
      {
        currency: 'EUR',
        now: { rowCount: '1', grossMinor: '500', shareMinor: '100' },
        before: { rowCount: '0' },
      },
      {
        currency: 'USD',
        now: {
          rowCount: '2',
          grossMinor: '4000',
          shareMinor: '500',
          reversedCount: '1',
          reversedGrossMinor: '3000',
          reversedShareMinor: '300',
        },
        before: { rowCount: '1', grossMinor: '7000', shareMinor: '1400' },
      },
    ]);
    const all = (await owner('GET', '/overview?from=2026-06-09&until=2026-06-16')).body.currencies;
    expect(all[1].now).toMatchObject({ rowCount: '3', grossMinor: '4100' });
    const { body: byDay } = await owner('GET', '/rollups?from=2026-06-09&until=2026-06-16&group=main');
    expect(byDay.days).toMatchObject([
      { day: '2026-06-10', currency: 'USD', grossMinor: '4000' },
      { day: '2026-06-11', currency: 'EUR', grossMinor: '500' },
    ]);
    const { body: top } = await owner('GET', '/top-creators?from=2026-05-20&until=2026-06-16');
    expect(top.rows).toMatchObject([
      { currency: 'EUR', creator: { memberId: 'acc_alice', name: 'Alice' }, shareMinor: '100' },
      { currency: 'USD', creator: { memberId: 'acc_alice' }, shareMinor: '1600' },
      { currency: 'USD', creator: { memberId: 'acc_bob' }, shareMinor: '200', rowCount: '2' },
      { currency: 'USD', creator: { memberId: 'acc_dora' }, shareMinor: '8' },
    ]);
  });

  test('are compared with the same dates a year earlier on request, across leap days too', async () => {
    const owner = await asRole(service(), 'owner');
    await record([
      purchase({
        transactionId: 'leap',
        subtotal: 400,
        currency: 'CHF',
        transactionDate: '2023-02-28T23:00:00Z',
      }),
      purchase({
        transactionId: 'not',
        subtotal: 900,
        currency: 'CHF',
        transactionDate: '2023-03-01T00:00:00Z',
      }),
    ]);
    await settle();
    const compared = async (days: string) => (await owner('GET', `/overview?${days}&compare=year`)).body;
    expect(await compared('from=2024-02-20&until=2024-03-01')).toMatchObject({
      compared: { before: { from: '2023-02-20', until: '2023-03-01' } },
      currencies: [{ currency: 'CHF', now: { rowCount: '0' }, before: { rowCount: '1', grossMinor: '400' } }],
    });
    expect((await compared('from=2024-02-29&until=2024-03-01')).compared.before).toEqual({
      from: '2023-02-28',
      until: '2023-03-01',
    });
    expect((await compared('from=2024-02-28&until=2024-02-29')).compared.before).toEqual({
      from: '2023-02-28',
      until: '2023-03-01',
    });
    expect(await owner('GET', '/overview?compare=decade')).toMatchObject({ status: 400 });
  });

  test('are compared without today, which is not over, and with the same weekdays', async () => {
    const owner = await asRole(service(), 'owner');
    const yen = (transactionId: string, subtotal: number, transactionDate: string) =>
      purchase({ transactionId, subtotal, currency: 'JPY', transactionDate });
    await record([
      yen('today', 4, '2026-06-15T00:00:00Z'),
      yen('yesterday', 30, '2026-06-14T23:59:59.999Z'),
      yen('week-before', 500, '2026-06-07T23:59:59.999Z'),
      yen('today-a-week-before', 6_000, '2026-06-08T00:00:00Z'),
    ]);
    await settle();
    const asked = async (query: string) => {
      const { body } = await owner('GET', `/overview?until=2026-06-16&${query}`);
      const yens = body.currencies.find(({ currency }: { currency: string }) => currency === 'JPY');
      return [body.compared, ...['now', 'finished', 'before'].map((name) => yens?.[name].grossMinor ?? null)];
    };
    expect(await asked('from=2026-06-09')).toEqual([
      {
        days: { from: '2026-06-09', until: '2026-06-15' },
        before: { from: '2026-06-02', until: '2026-06-08' },
      },
      '34',
      '30',
      '500',
    ]);
    expect(await asked('from=2026-06-09&compare=year')).toMatchObject([
      {
        days: { from: '2026-06-09', until: '2026-06-15' },
        before: { from: '2025-06-09', until: '2025-06-15' },
      },
      '34',
      '30',
      '0',
    ]);
    expect(await asked('from=2026-06-15')).toEqual([null, '4', '0', '0']);
    const { body } = await owner('GET', '/overview?from=2026-06-08&until=2026-06-15');
    expect(body.compared).toEqual({
      days: { from: '2026-06-08', until: '2026-06-15' },
      before: { from: '2026-06-01', until: '2026-06-08' },
    });
  });

  test('cover the last 28 days including today by default', async () => {
    const owner = await asRole(service(), 'owner');
    const { body } = await owner('GET', '/overview');
    expect(body.period).toEqual({ from: '2026-05-19', until: '2026-06-16' });
  });

  test('of top creators are current with few rollup rows, and cached for 30 seconds with very many', async () => {
    const owner = await asRole(service(), 'owner');
    const gold = async (days: string): Promise<string> =>
      (await owner('GET', `/top-creators?${days}`)).body.rows.find(
        ({ currency }: { currency: string }) => currency === 'XAU',
      )?.shareMinor;
    const earnGold = (count: number) =>
      sql`
      insert into earning_rollup (publisher_id, group_id, day, membership_id, code, currency, row_count, gross_minor, share_minor,
                                  reversed_count, reversed_gross_minor, reversed_share_minor)
      select publisher_id, group_id, date '2026-01-01' + n % 90, membership_id, 'G' || gen_random_uuid(), 'XAU', 1, 10, 1, 0, 0, 0
      from membership, generate_series(1, ${count}::int) n
      where publisher_id = 'aurora' and group_id = 'main' and account_id = 'acc_alice'`.execute(db());
    await earnGold(5);
    const winter = 'from=2026-01-01&until=2026-04-01';
    expect(await gold(winter)).toBe('5');
    await earnGold(20_000);
    expect(await gold(winter), 'few rows: read each time').toBe('20005');
    await earnGold(1);
    expect(await gold(winter), 'many rows: read once').toBe('20005');
    expect(await gold('from=2026-01-01&until=2026-04-02'), 'other days: read again').toBe('20006');
  });

  test('are rejected for empty ranges, ranges too long and dates that do not exist', async () => {
    const owner = await asRole(service(), 'owner');
    for (const days of [
      'from=2026-06-09&until=2026-06-09',
      'from=2026-06-09&until=2026-06-08',
      'from=2025-06-01&until=2026-06-16',
      'from=2026-02-30&until=2026-03-05',
      'from=June',
    ])
      expect(await owner('GET', `/overview?${days}`), days).toMatchObject({
        status: 400,
        body: { code: 'InvalidInput' },
      });
    expect(await owner('GET', '/top-creators?from=2026-03-01&until=2026-06-16')).toMatchObject({
      status: 400,
    });
    expect(await owner('GET', '/rollups?from=2026-03-01&until=2026-06-16')).toMatchObject({ status: 200 });
  });
});

test('attention lists applicants, due groups, failing endpoints and unposted purchases', async () => {
  const finance = await asRole(service(), 'finance');
  const { endpointId } = await addEndpoint(db(), 'aurora', 'http://127.0.0.1:1/', [
    'Attribution/TransactionRecorded',
  ]);
  await db()
    .updateTable('webhook_endpoint')
    .set({ failing_since: new Date('2026-06-14T00:00:00Z') })
    .where('publisher_id', '=', 'aurora')
    .where('endpoint_id', '=', endpointId)
    .execute();
  await makeGroup('payable', 'holdDays: 5, payoutMinimums: { USD: 1000 },');
  await earn('payable', 'A', 1_000, { transactionDate: on('06-01') });
  await earn('payable', 'B', 999, { transactionDate: on('06-01') });
  await settle();
  expect((await finance('GET', '/attention?group=payable')).body).toEqual({
    endpoints: [
      {
        endpointId,
        failingSince: '2026-06-14T00:00:00.000Z',
        disabledReason: null,
        overdueSince: null,
        isOffByTeam: false,
        lastFailedEventId: null,
      },
    ],
    unpostedSince: null,
    due: [{ groupId: 'payable', currency: 'USD' }],
    overdue: [],
    unpaidPayouts: 0,
    unpaidTotals: [],
    returnedLines: 0,
    returnedTotals: [],
    waitingPayees: 0,
    disputedPayees: 0,
    endingClearances: 0,
    ledgerUnsoundSince: null,
    disabledChannels: 0,
    applicants: [],
    erasures: [],
  });
  await record(purchase({ transactionId: 'waiting' }));
  const { body } = await finance('GET', '/attention');
  expect(body.applicants).toContainEqual({ groupId: 'main', memberCount: 1 });
  expect(body.unpostedSince).not.toBeNull();
});

test('attention lists no group as due when the amount that is not held, paid or refunded is too small', async () => {
  const finance = await asRole(service(), 'finance');
  const due = async () => (await finance('GET', '/attention?group=held')).body.due;
  await makeGroup('held', 'holdDays: 5, payoutMinimums: { USD: 1000 },');
  await earn('held', 'B', 999, { transactionDate: on('06-01') });
  await earn('held', 'B', 999, { transactionDate: on('06-14') });
  await settle();
  expect(await due(), 'enough, but for the hold period').toEqual([]);
  await earn('held', 'A', 1_000, { transactionDate: on('06-01') });
  await settle();
  expect(await due()).toEqual([{ groupId: 'held', currency: 'USD' }]);
  await create('held');
  expect(await due(), 'after the payout').toEqual([]);
  await earn('held', 'A', 1_500, { transactionId: 'held-2', transactionDate: on('06-02') });
  await settle();
  expect(await due(), 'recorded late').toEqual([{ groupId: 'held', currency: 'USD' }]);
  await patch('held-2', { json: { action: 'Refund' } });
  expect(await due(), 'refunded').toEqual([]);
});

describe('the tail', () => {
  const idsOf = ({ body }: { body: { rows: { row: { transactionId: string } }[] } }): string[] =>
    body.rows.map(({ row }) => row.transactionId);

  test('lists the latest rows first and, with `after`, the rows recorded after that one', async () => {
    const viewer = await asRole(service(), 'viewer');
    await record(purchase({ transactionId: 'tail-1', transactionDate: on('01-01'), playerId: 'buyer' }));
    await record(purchase({ transactionId: 'tail-2', transactionDate: on('05-01') }));
    const first = await viewer('GET', '/tail');
    expect(idsOf(first).slice(0, 2)).toEqual(['tail-2', 'tail-1']);
    expect(first.body.rows[1].row).toMatchObject({ playerId: null, creator: { name: 'Alice' } });
    const after = first.body.rows[0].row.attributionId;
    await record(purchase({ transactionId: 'tail-3' }));
    const later = await viewer('GET', `/tail?after=${after}`);
    expect(idsOf(later)[0]).toBe('tail-3');
    expect(idsOf(later), 'rows recorded shortly before are repeated').toContain('tail-2');
  });

  test('includes a row that was committed after one with a later id', async () => {
    const viewer = await asRole(service(), 'viewer');
    await record(purchase({ transactionId: 'late' }));
    await record(purchase({ transactionId: 'known' }));
    const { body } = await viewer('GET', '/tail');
    const later = await viewer('GET', `/tail?after=${body.rows[0].row.attributionId}`);
    expect(idsOf(later)).toContain('late');
  });

  test('is limited in length and can be filtered by group', async () => {
    const viewer = await asRole(service(), 'viewer');
    await record(purchase({ transactionId: 'in-moba', code: 'DORA' }), { query: '?groupId=moba' });
    const { body } = await viewer('GET', '/tail?group=moba');
    expect(body.rows.every(({ row }: { row: { groupId: string } }) => row.groupId === 'moba')).toBe(true);
    await record(Array.from({ length: 150 }, (_, index) => purchase({ transactionId: `many-${index}` })));
    expect((await viewer('GET', '/tail')).body.rows).toHaveLength(20);
    expect((await viewer('GET', `/tail?after=${body.rows[0].row.attributionId}`)).body.rows).toHaveLength(30);
    expect(await viewer('GET', '/tail?after=662E41')).toMatchObject({ status: 400 });
  });

  test('is shared by viewers for half a second, but no longer, while rows arrive', async () => {
    const [one, other] = [await asRole(service(), 'viewer'), await asRole(service(), 'manager')];
    for (let round = 0; ; round += 1) {
      expect(round, 'the machine is fast enough to read twice within half a second').toBeLessThan(20);
      const stream = Array.from({ length: 40 }, (_, at) =>
        purchase({ transactionId: `stream-${round}-${at}` }),
      );
      await record(stream);
      await sleep(600); // the previous shared read has expired
      const startedMs = performance.now();
      await one('GET', '/tail');
      await record(purchase({ transactionId: `after-${round}` }));
      const shared = await other('GET', '/tail');
      if (performance.now() - startedMs > 450) continue;
      expect(idsOf(shared)).not.toContain(`after-${round}`);
      await sleep(600);
      expect(idsOf(await other('GET', '/tail'))[0]).toBe(`after-${round}`);
      return;
    }
  });
});

describe('attention: a group is due when a member is owed enough', () => {
  // If held amounts counted, every member would be due a payment. Held amounts must not make the group due.
  const early = { transactionDate: on('06-02') };
  const held = { transactionDate: on('06-14') };
  const usd = 'payoutMinimums: { USD: 1000 },';
  const reward = (group: string, member: string, of: { amount: number; currency?: string; day?: string }) =>
    query(sql`
      insert into reward_payment (publisher_id, progress_reward_id, group_id, membership_id, currency, amount_minor, earned_at, settled_at)
      select publisher_id, gen_random_uuid(), group_id, membership_id, ${of.currency ?? 'USD'}, ${of.amount}, ${on(of.day ?? '06-02')}, now()
      from membership where publisher_id = 'aurora' and account_id = ${`acc_${group}_${member}`}`);
  const payAndTakeBack = async (group: string, sold: { id: string }[]): Promise<void> => {
    await settle();
    for (const { batchId } of await create(group)) await markPaid(batchId);
    for (const { id } of sold) await clawBack(id, 'Fraud');
  };

  test.each<[string, string, (group: string) => Promise<unknown>, string[]]>([
    [
      'ignores what was already paid, although the mark is earlier',
      usd,
      async (group) => {
        await earn(group, 'A', 1_000, { transactionDate: on('06-05') });
        await reward(group, 'A', { amount: 1_000, day: '06-05' });
        await payAndTakeBack(group, []);
        await earn(group, 'A', 999, early);
        await earn(group, 'A', 3_000, held);
      },
      [],
    ],
    [
      'ignores reversed purchases',
      usd,
      async (group) => {
        await earn(group, 'A', 999, early);
        await earn(group, 'A', 1_000, held);
        const { transactionId } = await earn(group, 'A', 1_000, { ...early, transactionId: 'went-back' });
        await settle();
        await patch(transactionId, { json: { action: 'Refund' } });
      },
      [],
    ],
    [
      'counts rewards',
      usd,
      async (group) => {
        await earn(group, 'A', 400, early);
        await earn(group, 'A', 1_000, held);
        await reward(group, 'A', { amount: 600 });
      },
      ['USD'],
    ],
    [
      'ignores rewards that are held, in another currency or of another member',
      usd,
      async (group) => {
        await earn(group, 'A', 400, early);
        await earn(group, 'A', 1_000, held);
        await reward(group, 'A', { amount: 600, day: '06-14' });
        await reward(group, 'A', { amount: 600, currency: 'EUR' });
        await reward(group, 'B', { amount: 600 });
      },
      [],
    ],
    [
      'subtracts clawbacks',
      usd,
      async (group) => {
        await payAndTakeBack(group, [await earn(group, 'A', 1_000, early)]);
        await earn(group, 'A', 1_999, early);
        await earn(group, 'A', 1_000, held);
      },
      [],
    ],
    [
      'does not subtract clawbacks of another member or currency',
      usd,
      async (group) => {
        const given = [
          await earn(group, 'A', 300, { ...early, currency: 'EUR' }),
          await earn(group, 'B', 1_000, early),
        ];
        await payAndTakeBack(group, given);
        await earn(group, 'A', 1_000, early);
        await earn(group, 'B', 1_999, early);
        await earn(group, 'A', 299, { ...early, currency: 'EUR' });
        await earn(group, 'A', 1_000, { ...held, currency: 'EUR' });
      },
      ['USD'],
    ],
    [
      'goes by the sum of many rows with small shares or none',
      `${usd} skuRevShares: [ { skuId: free, revShare: 0 } ],`,
      async (group) => {
        const sold = Array.from({ length: 500 }, (_, at) =>
          purchase({
            transactionId: `row-${at}`,
            code: 'M-A',
            subtotal: 1,
            ...(at < 490 ? { skuId: 'free' } : { memberSharePercent: 100 }),
            ...early,
          }),
        );
        expect((await record(sold, { query: `?groupId=${group}` })).status).toBe(200);
        await earn(group, 'A', 1_000, held);
      },
      [],
    ],
    [
      'counts rewards without purchases',
      usd,
      async (group) => {
        await earn(group, 'A', 1, held);
        await settle();
        await query(sql`
          update member_balance b set balance_minor = 1001
          where b.membership_id = (select membership_id from membership where account_id = ${`acc_${group}_A`})`);
        await reward(group, 'A', { amount: 1_000 });
      },
      ['USD'],
    ],
    [
      'lists a currency once from one minor unit without a minimum',
      '',
      async (group) => {
        await payAndTakeBack(group, [await earn(group, 'A', 300, early)]);
        await earn(group, 'A', 300, early);
        await earn(group, 'A', 300, held);
        for (const member of ['A', 'B'] as const) await earn(group, member, 1, { ...early, currency: 'EUR' });
      },
      ['EUR'],
    ],
  ])('%s', async (name, settings, prepare, due) => {
    const finance = await asRole(service(), 'finance');
    const group = `due-${name.replaceAll(/\W+/g, '-').slice(0, 20)}`;
    await makeGroup(group, `holdDays: 5, ${settings}`);
    // Another publisher has a group with the same id, but no hold period.
    await service().provision(
      `{ publisher: { id: rival }, groups: [ { id: ${group}, revShare: 1, holdDays: 0 } ] }`,
    );
    await prepare(group);
    await settle();
    const found = (await finance('GET', `/attention?group=${group}`)).body.due;
    expect(found).toEqual(due.map((currency) => ({ groupId: group, currency })));
  });
});

test('changes since a day: creators who joined, and payouts that were created or paid', async () => {
  const finance = await asRole(service(), 'finance');
  const changes = async () => {
    const { status, body } = await finance('GET', '/changes?group=changed&from=2026-06-15');
    expect(status).toBe(200);
    return [body.joinedCreators, body.createdPayouts, body.paidPayouts];
  };
  await makeGroup('changed');
  await query(sql`
    insert into creator_account (account_id, name, owner_publisher_id) values ('acc_early', 'Early', 'aurora')`);
  await query(sql`
    insert into membership (publisher_id, membership_id, group_id, account_id, status)
    values ('aurora', '01900000-0000-7000-8000-00000000000a', 'changed', 'acc_early', 'Approved')`);
  expect(await changes()).toEqual([2, 0, 0]);
  await earn('changed', 'A', 100, { transactionDate: on('06-01') });
  await earn('changed', 'B', 100, { transactionDate: on('06-01'), currency: 'EUR' });
  await settle();
  const [one, other] = await create('changed');
  await markPaid(one?.batchId ?? '');
  expect(await changes()).toEqual([2, 2, 1]);
  await cancel(other?.batchId ?? '');
  expect(await changes()).toEqual([2, 1, 1]);
  const admin = await connect(service().testDatabase.adminConnection);
  await admin.query(
    "update payout_batch set created_at = '2026-06-14T23:59:59Z', paid_at = '2026-06-15T00:00:00Z' where batch_id = $1",
    [one?.batchId],
  );
  expect(await changes()).toEqual([2, 0, 1]);
  for (const search of ['from=2026-06-16', 'from=2025-06-01', 'from=june', 'group=nowhere'])
    expect((await finance('GET', `/changes?${search}`)).status, search).toBe(400);
});
