import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { until } from '../../../test/attribution-process.ts';
import { writtenEntries } from '../../../test/audit.ts';
import { useMoney } from '../../../test/money.ts';
import { signIn } from '../../../test/staff.ts';
import { connect } from '../../../test/test-database.ts';
import { resumePayRun } from '../../settlement/payouts/runs/work-pay-run.ts';

const money = useMoney();
const { service, makeGroup, earn, settle } = money;
let finance: Asking;
beforeAll(async () => {
  finance = await asRole(service(), 'finance');
});
afterEach(() => money.expectSound());

interface Due {
  groupId: string;
  currency: string;
  totalMinor: string;
}

let groups = 0;
/** Creates two groups with amounts due: 150 USD and 70 EUR in the first, 99 USD in the second. */
async function makeDue(): Promise<[string, string]> {
  groups += 1;
  const names = [`run${groups}a`, `run${groups}b`] as const;
  for (const name of names) await makeGroup(name);
  await earn(names[0], 'A', 150);
  await earn(names[0], 'B', 70, { currency: 'EUR' });
  await earn(names[1], 'A', 99);
  await settle();
  return [...names];
}
interface RunPreview {
  asOf: string;
  groups: {
    groupId: string;
    totals: { currency: string; due: { totalMinor: string } }[];
    problem: { code: string } | null;
  }[];
}
/** Reads all pages of the preview. A page ends after some time, so a busy machine needs several. */
async function previewAll(ask = finance, asOf = ''): Promise<RunPreview> {
  const read: RunPreview = { asOf, groups: [] };
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = Object.entries({ asOf: read.asOf, cursor }).filter(([, value]) => value !== '');
    const { status, body } = await ask('GET', `/pay-runs/preview?${new URLSearchParams(query)}`);
    expect(status).toBe(200);
    read.asOf = body.asOf;
    read.groups.push(...body.groups);
    cursor = body.nextCursor;
  }
  return read;
}
const dueIn = (preview: RunPreview, names: readonly string[]): Due[] =>
  preview.groups
    .filter(({ groupId }) => names.includes(groupId))
    .flatMap(({ groupId, totals }) =>
      totals
        .filter(({ due }) => due.totalMinor !== '0')
        .map(({ currency, due }) => ({ groupId, currency, totalMinor: due.totalMinor })),
    );
/** Previews everything and returns the request that pays the amounts due in some groups. */
async function toStart(names: readonly string[]) {
  const preview = await previewAll();
  return { asOf: preview.asOf, payouts: dueIn(preview, names) };
}
const outcomes = (body: {
  lines: { groupId: string; currency: string; payout: unknown; failure: unknown }[];
}) =>
  body.lines.map(({ groupId, currency, payout, failure }) => [
    groupId,
    currency,
    payout !== null ? 'payout' : failure !== null ? 'failed' : 'waiting',
  ]);
/** Starts a run and waits until it ends. A busy machine may take longer than the response waits. */
async function run(body: unknown) {
  const started = await finance('POST', '/pay-runs', body);
  expect([200, 202], JSON.stringify(started.body)).toContain(started.status);
  return ended(started.body.run.payRunId);
}
const ended = (payRunId: string) =>
  until('the run to end', async () => {
    const { body } = await finance('GET', `/pay-runs/${payRunId}`);
    return body.run.isDone ? body : null;
  });
const payoutsOf = async (names: readonly string[]) =>
  (await money.payouts()).filter(({ groupId, wasUndone }) => names.includes(groupId) && !wasUndone);

describe('the preview of all groups', () => {
  test('has one cutoff, and shows the same amounts again after more was posted', async () => {
    const names = await makeDue();
    const preview = await previewAll();
    expect(dueIn(preview, names)).toEqual([
      { groupId: names[0], currency: 'EUR', totalMinor: '70' },
      { groupId: names[0], currency: 'USD', totalMinor: '150' },
      { groupId: names[1], currency: 'USD', totalMinor: '99' },
    ]);
    await earn(names[1], 'A', 1_000);
    await settle();
    expect(dueIn(await previewAll(finance, preview.asOf), names)).toEqual(dueIn(preview, names));
    const { status, body: again } = await finance(
      'GET',
      `/payouts/preview?group=${names[1]}&asOf=${preview.asOf}`,
    );
    expect([status, again.totals]).toMatchObject([
      200,
      [{ due: { totalMinor: '99' }, later: { totalMinor: '1000' } }],
    ]);
  });

  test('names the group that has no preview, and shows the others', async () => {
    const names = await makeDue();
    const { asOf } = await previewAll();
    await money.create(names[0]);
    const { groups: shown } = await previewAll(finance, asOf);
    const of = (name: string) => shown.find(({ groupId }) => groupId === name);
    expect(of(names[0])).toMatchObject({ totals: [], problem: { code: 'Conflict' } });
    expect(of(names[1])).toMatchObject({ totals: [{ due: { totalMinor: '99' } }], problem: null });
  });

  test('rejects a cursor of another cutoff', async () => {
    expect(await finance('GET', '/pay-runs/preview?cursor=abc')).toMatchObject({
      status: 400,
      body: { code: 'InvalidCursor' },
    });
  });
});

describe('a pay run', () => {
  test('creates the chosen payouts once, however often it is requested', async () => {
    const names = await makeDue();
    const { asOf, payouts } = await toStart(names);
    const chosen = payouts.filter(({ currency }) => currency === 'USD');
    await earn(names[1], 'B', 5_000);
    await settle();
    const started = await run({ asOf, payouts: chosen });
    expect(started).toMatchObject({
      run: {
        isDone: true,
        asOf,
        startedBy: { kind: 'token' },
        counts: { toPay: 2, failed: 0, waiting: 0 },
      },
      lines: [
        { groupId: names[0], totalMinor: '150', payout: { totalMinor: '150', asOf, status: 'Created' } },
        { groupId: names[1], totalMinor: '99', payout: { totalMinor: '99', asOf, status: 'Created' } },
      ],
    });
    expect((await finance('POST', '/pay-runs', { asOf, payouts: chosen })).body).toEqual(started);
    const { payRunId } = started.run;
    // Payouts that were left out can be added later with the same cutoff.
    const added = await run({ asOf, payouts });
    expect(added.run).toMatchObject({ payRunId, counts: { toPay: 3 } });
    expect(await payoutsOf(names)).toHaveLength(3);
    const [entry, ...more] = (await writtenEntries(money.db())).filter(
      ({ target }) => target === `pay-run:${payRunId}`,
    );
    expect([entry, more.length]).toMatchObject([
      { action: 'pay-run.start', after: { asOf, payoutCount: 2, totals: { USD: '249' } } },
      1,
    ]);
    expect((await finance('GET', '/pay-runs')).body.rows[0]).toEqual(added.run);
    const { payout } = started.lines[0];
    expect((await finance('GET', `/payouts/${payout.payoutId}`)).body).toMatchObject({ payRunId });
  });

  test('names each payout that can’t be created as previewed, and creates the others', async () => {
    const names = await makeDue();
    const sold = await earn(names[1], 'B', 10);
    await settle();
    const { asOf, payouts } = await toStart(names);
    await money.patch(sold.transactionId, { form: { action: 'Refund' } });
    const wrong = payouts.map((each) => (each.currency === 'EUR' ? { ...each, totalMinor: '71' } : each));
    const body = await run({ asOf, payouts: wrong, exactly: true });
    expect(outcomes(body)).toEqual([
      [names[0], 'EUR', 'failed'],
      [names[0], 'USD', 'payout'],
      [names[1], 'USD', 'failed'],
    ]);
    expect(body.lines[0].failure.message).toContain('is 0.70 EUR, not 0.71');
    expect(body.lines[2].failure).toMatchObject({
      code: 'Conflict',
      payoutChange: {
        cause: 'members',
        members: [{ beforeMinor: '10', afterMinor: '0', reasons: ['Refund'] }],
      },
    });
    expect(await payoutsOf(names)).toHaveLength(1);
    // With the right total and the same cutoff, only the failed payouts are retried.
    const again = await run({ asOf, payouts, exactly: true });
    expect(outcomes(again).map(([, , outcome]) => outcome)).toEqual(['payout', 'payout', 'failed']);
    expect(again.lines[1]).toEqual(body.lines[1]);
    expect(again.reductions).toEqual({ count: 0, totals: [], members: [] });
    // A request that isn't exact pays what is left, and never more than the confirmed total.
    const lower = await run({ asOf, payouts });
    expect(outcomes(lower).map(([, , outcome]) => outcome)).toEqual(['payout', 'payout', 'payout']);
    expect(lower.lines[2]).toMatchObject({ totalMinor: '109', payout: { totalMinor: '99', memberCount: 1 } });
    expect(lower.reductions).toMatchObject({
      count: 1,
      totals: [{ currency: 'USD', amountMinor: '10' }],
      members: [
        { payoutId: lower.lines[2].payout.payoutId, name: 'B', previewedMinor: '10', paidMinor: '0' },
      ],
    });
    expect((await finance('POST', '/pay-runs', { asOf, payouts })).body).toEqual(lower);
  });

  test('names a payout of which nothing is left', async () => {
    const names = await makeDue();
    const { asOf, payouts } = await toStart(names);
    const rows = await money.query(sql<{ id: string }>`
      select transaction_id as id from attribution where group_id = ${names[1]}`);
    for (const { id } of rows)
      expect((await money.patch(id, { form: { action: 'Refund' } })).status).toBe(200);
    const body = await run({ asOf, payouts });
    expect(outcomes(body).map(([, , outcome]) => outcome)).toEqual(['payout', 'payout', 'failed']);
    expect(body.lines[2].failure).toMatchObject({
      code: 'Conflict',
      payoutChange: {
        cause: 'members',
        currencies: [{ before: { totalMinor: '99', memberCount: 1 }, after: { totalMinor: '0' } }],
        members: [{ beforeMinor: '99', afterMinor: '0', reasons: ['Refund'] }],
      },
    });
  });

  test('started by two people at the same time is one run', async () => {
    const names = await makeDue();
    const start = await toStart(names);
    const other = await asRole(service(), 'owner');
    const answers = await Promise.all(
      [finance, other, finance, other].map((ask) => ask('POST', '/pay-runs', start)),
    );
    const ids = answers.map(({ body }) => body.run.payRunId);
    expect(new Set(ids).size).toBe(1);
    const { run: found, lines } = await ended(ids[0]);
    expect(found.counts).toMatchObject({ toPay: 3, failed: 0, waiting: 0 });
    expect(
      new Set(lines.map(({ payout }: { payout: { createdBy: { id: string } } }) => payout.createdBy.id)).size,
    ).toBe(1);
    expect(await payoutsOf(names)).toHaveLength(3);
  });

  test('of other previews of the same amounts pay each amount once', async () => {
    const names = await makeDue();
    const [one, two] = [await toStart(names), await toStart(names)];
    const answers = await Promise.all([one, two].map((start) => finance('POST', '/pay-runs', start)));
    const started = await Promise.all(
      answers.filter(({ status }) => status !== 409).map(({ body }) => ended(body.run.payRunId)),
    );
    const created = started.flatMap(outcomes).filter(([, , outcome]) => outcome === 'payout');
    expect(created).toHaveLength(3);
    expect(await payoutsOf(names)).toHaveLength(3);
  });

  test('whose process dies between two payouts is finished once, for the person who started it', async () => {
    const names = await makeDue();
    const start = await toStart(names);
    const blocker = await connect(service().testDatabase.connection);
    await blocker.query(
      `begin; select 1 from membership where publisher_id = 'aurora' and group_id = '${names[0]}' for update`,
    );
    const { status, body } = await finance('POST', '/pay-runs', start);
    expect([status, outcomes(body).map(([, , outcome]) => outcome)]).toEqual([
      202,
      ['waiting', 'waiting', 'waiting'],
    ]);
    const later = await finance('POST', '/pay-runs', { ...start, asOf: (await previewAll()).asOf });
    expect(later).toMatchObject({ status: 409, body: { code: 'Conflict' } });
    expect(later.body.message).toContain('still in progress');
    await blocker.query('commit');
    const { payRunId } = body.run;
    await ended(payRunId);
    // Recreates the state after a process dies between creating a payout and saving its line.
    await money.query(sql`
      update pay_run_line set payout_batch_id = null where pay_run_id = ${payRunId}::uuid and group_id = ${names[0]}`);
    await money.query(sql`
      update pay_run set ended_at = null, lease_id = gen_random_uuid(), worked_until = now() - interval '1 second'
      where pay_run_id = ${payRunId}::uuid`);
    const failures: unknown[] = [];
    while ((await resumePayRun(money.db(), 'aurora', (error) => failures.push(error))) > 0);
    const { run: found, lines } = await ended(payRunId);
    expect(failures).toEqual([]);
    expect(found).toMatchObject({ isDone: true, counts: { toPay: 3, failed: 0, waiting: 0 } });
    for (const { payout } of lines) expect(payout.createdBy).toEqual(found.startedBy);
    expect(await payoutsOf(names)).toHaveLength(3);
  });

  test('is rejected with wrong input, and changes nothing', async () => {
    const names = await makeDue();
    const { asOf, payouts } = await toStart(names);
    const [first] = payouts;
    for (const [body, status] of [
      [{ asOf, payouts: [] }, 400],
      [{ asOf, payouts: [first, first] }, 400],
      [{ asOf, payouts: [{ ...first, totalMinor: '0' }] }, 400],
      [{ asOf, payouts: [{ ...first, groupId: 'nowhere' }] }, 404],
      [{ asOf: '2099-01-01T00:00:00Z', payouts }, 400],
    ] as const)
      expect([(await finance('POST', '/pay-runs', body)).status, body]).toEqual([status, body]);
    expect(await finance('GET', '/pay-runs/nothing')).toMatchObject({ status: 404 });
    expect(await payoutsOf(names)).toEqual([]);
  });

  test('needs the permission, and belongs to its publisher', async () => {
    const names = await makeDue();
    const start = await toStart(names);
    const { owner, finance: payer, ...others } = await asEveryRole(service());
    for (const ask of Object.values(others))
      expect(await ask('POST', '/pay-runs', start)).toMatchObject({ status: 403 });
    const { payRunId } = (await run(start)).run;
    const rival = await asRole(service(), 'owner', 'rival');
    expect(await rival('GET', `/pay-runs/${payRunId}`)).toMatchObject({ status: 404 });
    expect(await rival('GET', `/pay-runs/${payRunId}/items.csv`)).toMatchObject({ status: 404 });
    expect(await rival('POST', '/pay-runs', start)).toMatchObject({ status: 404 });
    expect((await rival('GET', '/pay-runs')).body.rows).toEqual([]);
    const { payoutId } = (await finance('GET', `/pay-runs/${payRunId}`)).body.lines[0].payout;
    expect(await rival('GET', `/payouts/items.csv?payouts=${payoutId}`)).toMatchObject({ status: 404 });
  });
});

describe('several payouts', () => {
  const created = async () => {
    const names = await makeDue();
    const body = await run(await toStart(names));
    const payouts: { payoutId: string; currency: string; status: string }[] = body.lines.map(
      ({ payout }: { payout: never }) => payout,
    );
    return {
      names,
      payRunId: body.run.payRunId as string,
      payouts,
      ids: payouts.map(({ payoutId }) => payoutId),
    };
  };
  const totals = [
    { currency: 'EUR', totalMinor: '70' },
    { currency: 'USD', totalMinor: '249' },
  ];
  const asPerson = async (publisherId = 'aurora') => {
    const { headers } = await signIn(service(), 'finance', { publisherId });
    return (path: string, json: unknown) =>
      service().call('POST', `/admin/v1/publishers/${publisherId}${path}`, { key: null, headers, json });
  };

  test('are exported as one file, without canceled ones', async () => {
    const { names, payRunId, ids } = await created();
    const exported = async () => {
      const { body } = await finance('GET', `/pay-runs/${payRunId}`);
      return body.lines.map((line: { isExported: boolean }) => line.isExported);
    };
    expect(await exported()).toEqual([false, false, false]);
    const chosen = await finance('GET', `/payouts/items.csv?payouts=${ids.join(',')}`);
    expect(await exported()).toEqual([true, true, true]);
    const all = await finance('GET', `/pay-runs/${payRunId}/items.csv`);
    expect(all.text).toBe(chosen.text);
    const [header, ...lines] = all.text.trim().split('\r\n');
    expect(header).toBe(
      'batch,group,status,memberId,playerId,name,currency,amount,amountMinor,rows,payments,rewards,adjustments,reference,method,payeeName,payeeCountry,payTo',
    );
    expect(lines.map((line) => line.split(',').slice(1, -5).join(','))).toEqual([
      `"${names[0]}",Created,"acc_${names[0]}_B","p-B",B,EUR,0.70,70,1,0.70,0.00,0.00`,
      `"${names[0]}",Created,"acc_${names[0]}_A","p-A",A,USD,1.50,150,1,1.50,0.00,0.00`,
      `"${names[1]}",Created,"acc_${names[1]}_A","p-A",A,USD,0.99,99,1,0.99,0.00,0.00`,
    ]);
    await money.cancel(ids[0] ?? '');
    expect(await finance('GET', `/payouts/items.csv?payouts=${ids.join(',')}`)).toMatchObject({
      status: 409,
    });
    const left = await finance('GET', `/pay-runs/${payRunId}/items.csv`);
    expect(left.text.trim().split('\r\n')).toHaveLength(3);
    const entries = (await writtenEntries(money.db())).filter(
      ({ action, target }) => action === 'payout.export' && target === `payout:${ids[1]}`,
    );
    expect(entries).toHaveLength(3);
  });

  test('are marked as paid after a recent sign-in, with the total of each currency', async () => {
    const { ids } = await created();
    expect(await finance('POST', '/payouts/pay', { payoutIds: ids, totals })).toMatchObject({ status: 403 });
    const person = await asPerson();
    for (const wrong of [
      totals.slice(1),
      [...totals, { currency: 'JPY', totalMinor: '1' }],
      [totals[0], { currency: 'USD', totalMinor: '250' }],
    ])
      expect(await person('/payouts/pay', { payoutIds: ids, totals: wrong })).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('Nothing was marked as paid') },
      });
    expect(await person('/payouts/pay', { payoutIds: [...ids, 'nothing'], totals })).toMatchObject({
      status: 404,
    });
    const rival = await asPerson('rival');
    expect(await rival('/payouts/pay', { payoutIds: ids, totals })).toMatchObject({ status: 404 });
    const answers = await Promise.all([1, 2].map(() => person('/payouts/pay', { payoutIds: ids, totals })));
    for (const { status, body } of answers)
      expect([
        status,
        body.payouts.map(({ payout, failure }: { payout: { status: string }; failure: unknown }) => [
          payout.status,
          failure,
        ]),
      ]).toEqual([200, ids.map(() => ['Paid', null])]);
    for (const id of ids)
      expect(
        (await writtenEntries(money.db())).filter(
          ({ action, target }) => action === 'payout.mark-paid' && target === `payout:${id}`,
        ),
      ).toHaveLength(1);
  });

  test('that can’t be marked as paid are named, and the others are marked', async () => {
    const { ids } = await created();
    await money.cancel(ids[1] ?? '');
    const person = await asPerson();
    const { status, body } = await person('/payouts/pay', { payoutIds: ids, totals });
    expect(status).toBe(200);
    expect(
      body.payouts.map(
        ({ payout, failure }: { payout: { status: string }; failure: { code: string } | null }) => [
          payout.status,
          failure?.code ?? null,
        ],
      ),
    ).toEqual([
      ['Paid', null],
      ['Cancelled', 'Conflict'],
      ['Paid', null],
    ]);
  });
});
