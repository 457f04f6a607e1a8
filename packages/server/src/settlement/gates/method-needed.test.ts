import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../test/attribution-process.ts';
import { urlsOf } from '../../../test/database-url.ts';
import { useLinking } from '../../../test/linking.ts';
import { runInProcess } from '../../../test/run-in-process.ts';
import { type SignedInPerson, signIn } from '../../../test/staff.ts';
import { connect } from '../../../test/test-database.ts';

const at = useLinking();
const { service, makeGroup, earn, settle, preview, create, balance } = at;
let ann: SignedInPerson;
let ben: SignedInPerson;
beforeAll(async () => {
  ann = await signIn(service(), 'finance', { name: 'Ann' });
  ben = await signIn(service(), 'owner', { name: 'Ben' });
  await setWait(0);
});
afterEach(async () => {
  await need(false);
  await setWait(0);
  await at.expectSound();
});

async function need(method: boolean): Promise<void> {
  const { body } = await ben.ask('GET', '/settings');
  const { version, name } = body;
  const payoutsNeed = { method, taxCleared: false };
  expect(await ben.ask('PUT', '/settings', { version, name, payoutsNeed })).toMatchObject({ status: 200 });
}

async function setWait(waitDays: number): Promise<void> {
  const { body } = await ben.ask('GET', '/payee-settings');
  expect(await ben.ask('PUT', '/payee-settings', { ...body, waitDays })).toMatchObject({ status: 200 });
}

const person = { holderName: 'Maria Muster', holderType: 'individual', country: 'DE' };
const paypal = { kind: 'paypal', ...person, email: 'maria@example.com' };
const sepa = { kind: 'sepa', ...person, iban: 'DE89 3704 0044 0532 0130 00' };

const enter = async (memberId: string, body: object): Promise<string> => {
  const answer = await ann.ask('POST', `/members/${memberId}/payees`, body);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.methodId;
};
const approve = async (methodId: string): Promise<string> => {
  const answer = await ben.ask('POST', `/payees/${methodId}/approve`, { acceptsShared: true });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.usableFrom;
};
const methodOf = async (memberId: string, body: object): Promise<string> => {
  const methodId = await enter(memberId, body);
  await approve(methodId);
  return methodId;
};
async function end(methodId: string): Promise<void> {
  const answer = await ann.ask('POST', `/payees/${methodId}/end`, { reason: 'moved' });
  expect(answer).toMatchObject({ status: 200 });
}

/** Returns what a preview on the dashboard says about each member, by amount. */
async function previewed(group: string, asOf: Date | null = null): Promise<unknown[]> {
  const cutoff = asOf === null ? '' : `&asOf=${asOf.toISOString()}`;
  const { status, body } = await ann.ask('GET', `/payouts/preview?group=${group}${cutoff}`);
  expect([status, body]).toMatchObject([200, {}]);
  return body.rows.map(({ name, currency, amountMinor, state, waiting }: PreviewRow) => [
    name,
    currency,
    amountMinor,
    state,
    ...waiting.flatMap(({ reasons }) =>
      reasons.map(({ kind, until }) => (until === null ? kind : `${kind} until ${until}`)),
    ),
  ]);
}
interface PreviewRow {
  name: string;
  currency: string;
  amountMinor: string;
  state: string;
  waiting: { amountMinor: string; reasons: { kind: string; until: string | null }[] }[];
}

const paid = async (group: string, asOf: Date | null = null) =>
  (await create(group, asOf)).map(({ currency, totalMinor, memberCount }) => [
    currency,
    totalMinor,
    memberCount,
  ]);

async function earned(group: string): Promise<{ a: string; b: string }> {
  await makeGroup(group);
  await earn(group, 'A', 100);
  await earn(group, 'B', 30);
  await settle();
  return { a: `acc_${group}_A`, b: `acc_${group}_B` };
}

describe('a payout method that payouts need', () => {
  test('is not needed at first: creators are paid with or without one', async () => {
    const { a } = await earned('off');
    await methodOf(a, paypal);
    expect(await previewed('off')).toEqual([
      ['A', 'USD', '100', 'due'],
      ['B', 'USD', '30', 'due'],
    ]);
    expect(await paid('off')).toEqual([['USD', 130n, 2]]);
  });

  test('keeps the money of creators without one, who are paid once they have one', async () => {
    const { a, b } = await earned('on');
    await methodOf(a, paypal);
    await need(true);
    expect(await previewed('on')).toEqual([
      ['A', 'USD', '100', 'due'],
      ['B', 'USD', '30', 'blocked', 'no-method'],
    ]);
    const { stdout } = await runInProcess(['payouts', 'preview', '--publisher', 'aurora', '--group', 'on'], {
      environment: urlsOf(service().testDatabase),
    });
    expect(stdout).toContain('no method for this currency');
    expect(await paid('on')).toEqual([['USD', 100n, 1]]);
    expect(await balance('B', 'USD', 'on'), 'it stays owed').toBe(30n);
    expect((await ann.ask('GET', '/attention?group=on')).body.due).toEqual([]);
    const waiting = await enter(b, paypal);
    expect(await previewed('on'), 'not approved').toEqual([['B', 'USD', '30', 'blocked', 'no-method']]);
    await approve(waiting);
    expect((await ann.ask('GET', '/attention?group=on')).body.due).toMatchObject([{ currency: 'USD' }]);
    expect(await paid('on')).toEqual([['USD', 30n, 1]]);
  });

  test('must be for the currency: a bank account pays euros alone', async () => {
    const { a } = await earned('euros');
    await earn('euros', 'A', 700, { currency: 'EUR' });
    await settle();
    await methodOf(a, sepa);
    await need(true);
    expect(await previewed('euros')).toEqual([
      ['A', 'EUR', '700', 'due'],
      ['A', 'USD', '100', 'blocked', 'no-method'],
      ['B', 'USD', '30', 'blocked', 'no-method'],
    ]);
    expect(await paid('euros')).toEqual([['EUR', 700n, 1]]);
    await methodOf(a, paypal);
    expect(await paid('euros')).toEqual([['USD', 100n, 1]]);
  });

  test('is new until its waiting period is over, also for money in its hold period', async () => {
    const { a } = await earned('new');
    await earn('new', 'A', 50, { transactionDate: new Date().toISOString() });
    await settle();
    await methodOf(a, paypal);
    await setWait(7);
    await need(true);
    const fresh = await enter(a, { ...paypal, email: 'new@example.com' });
    const { asOf } = await preview('new');
    const usableFrom = await approve(fresh);
    const [first] = await previewed('new');
    expect(first).toEqual([
      'A',
      'USD',
      '100',
      'blocked',
      `new-method until ${usableFrom}`,
      expect.stringMatching('^hold-period until '),
      `new-method until ${usableFrom}`,
    ]);
    expect((await previewed('new', asOf))[0], 'before the approval').toEqual([
      'A',
      'USD',
      '100',
      'due',
      expect.stringMatching('^hold-period until '),
    ]);
    expect(await paid('new')).toEqual([]);
    // The waiting period passes.
    await sql`
      update payee_method set usable_from = now() where publisher_id = 'aurora' and method_id = ${fresh}::uuid`.execute(
      at.db(),
    );
    expect(await paid('new')).toEqual([['USD', 100n, 1]]);
  });

  test('is read as it was at the cutoff, and a line without one is not made', async () => {
    const { a, b } = await earned('older');
    const methodId = await methodOf(a, paypal);
    await need(true);
    const { asOf } = await preview('older');
    await end(methodId);
    await methodOf(b, paypal);
    const then = [
      ['A', 'USD', '100', 'due'],
      ['B', 'USD', '30', 'blocked', 'no-method'],
    ];
    expect(await previewed('older', asOf)).toEqual(then);
    expect(await previewed('older')).toEqual([
      ['B', 'USD', '30', 'due'],
      ['A', 'USD', '100', 'blocked', 'no-method'],
    ]);
    // A preview that is outdated is either rejected, or pays what is left of it: nothing.
    const outcome = await paid('older', asOf).catch((error: Error) => error.message);
    if (typeof outcome === 'string') expect(outcome).toContain(a);
    else expect(outcome).toEqual([]);
    expect(await paid('older')).toEqual([['USD', 30n, 1]]);
    expect(await balance('A', 'USD', 'older')).toBe(100n);
  });

  test('that came with a claim does not pay by a cutoff before the claim', async () => {
    await at.makeEmptyGroup('claimed');
    const code = await at.generate('claimed', 'p-claimed');
    const creator = await at.makeMember('claimed', 'CLAIMER');
    await earn('claimed', 'A', 700, { code });
    await earn('claimed', 'B', 500, { code: 'CLAIMER' });
    await settle();
    const [found] = await at.query(sql<{ id: string }>`
      select account_id as id from membership where group_id = 'claimed' and player_id = 'p-claimed'`);
    const methodId = await methodOf(found?.id ?? '', paypal);
    await need(true);
    const { asOf } = await preview('claimed');
    const then = await previewed('claimed', asOf);
    expect(then.map((row) => (row as string[]).slice(2)).sort()).toEqual([
      ['500', 'blocked', 'no-method'],
      ['700', 'due'],
    ]);
    await at.linked('claimed', creator, 'p-claimed');
    const [continued] = (await ann.ask('GET', `/members/${creator}/payees`)).body.rows;
    expect(continued).toMatchObject({ state: 'Usable', approvedBy: { name: 'Ben' } });
    expect(continued.methodId).not.toBe(methodId);
    expect((await previewed('claimed', asOf)).map((row) => (row as string[]).slice(2)).sort()).toEqual([
      ['500', 'blocked', 'no-method'],
      ['700', 'due'],
    ]);
    // The claimed member's own method ended, so its amount moves to the next payout, too.
    expect(await paid('claimed', asOf)).toEqual([]);
    expect(await paid('claimed')).toEqual([['USD', 1_200n, 1]]);
  });

  test('that ends while a payout is created keeps its creator out', async () => {
    const { a, b } = await earned('race');
    const methodId = await methodOf(a, paypal);
    await methodOf(b, paypal);
    await need(true);
    const client = await connect(service().testDatabase.connection);
    await client.query('begin');
    await client.query("select from membership where account_id like 'acc_race_%' for update");
    const creating = paid('race');
    await until(
      'the payout to start',
      async () =>
        (await at.number(
          sql`select count(*) as n from payout_batch where group_id = 'race' and status = 'Preparing'`,
        )) > 0n,
    );
    await client.query(
      `update payee_method
       set ended_at = clock_timestamp(), ended_reason = 'x', ended_by_kind = 'staff', ended_by_id = 'x', ended_by_name = 'x'
       where publisher_id = 'aurora' and method_id = $1`,
      [methodId],
    );
    await client.query('commit');
    expect(await creating).toEqual([['USD', 30n, 1]]);
    expect(
      await at.number(sql`
      select count(*) as n
      from payout_item i
      join payout_batch b on b.publisher_id = i.publisher_id and b.batch_id = i.batch_id
      where b.group_id = 'race' and i.method_id is null`),
    ).toBe(0n);
  });

  test('outdates previews when the publisher begins to need it', async () => {
    await earned('terms');
    const { asOf } = await preview('terms');
    await need(true);
    await expect(create('terms', asOf)).rejects.toThrow('payout requirements');
    expect(await paid('terms')).toEqual([]);
  });

  test('leaves nothing unexplained: what is paid and what waits is what is owed', async () => {
    await need(true);
    for (let seed = 1; seed <= 6; seed += 1) {
      const group = `sum-${seed}`;
      const { a, b } = await earned(group);
      const random = (below: number) => ((seed * 7_919 + below * 104_729) >>> 3) % below;
      for (const [index, currency] of ['USD', 'EUR', 'JPY'].entries()) {
        await earn(group, index % 2 === 0 ? 'A' : 'B', 100 + random(50 + index), { currency });
        const transactionDate = new Date().toISOString();
        await earn(group, index % 2 === 0 ? 'B' : 'A', 10 + random(5 + index), { currency, transactionDate });
      }
      await settle();
      await setWait(seed % 2 === 0 ? 7 : 0);
      if (seed % 3 !== 0) await methodOf(a, sepa);
      if (seed % 3 !== 1) await methodOf(b, paypal);
      if (seed === 5) await ben.ask('POST', `/members/${b}/holds`, { reason: 'dispute' });
      const { body } = await ann.ask('GET', `/payouts/preview?group=${group}`);
      const owed = await at.query(sql<{ currency: string; balance: string }>`
        select currency, sum(balance_minor)::text as balance
        from member_balance
        join membership using (publisher_id, membership_id)
        where publisher_id = 'aurora' and group_id = ${group}
        group by 1
        order by 1`);
      const explained = owed.map(({ currency }) => ({
        currency,
        balance: String(
          body.rows
            .filter((row: PreviewRow) => row.currency === currency)
            .reduce(
              (sum: bigint, row: PreviewRow) =>
                row.waiting.reduce(
                  (all, { amountMinor }) => all + BigInt(amountMinor),
                  sum + (row.state === 'due' ? BigInt(row.amountMinor) : 0n),
                ),
              0n,
            ),
        ),
      }));
      expect([group, explained]).toEqual([group, owed]);
      const due = body.totals
        .filter((each: { due: { memberCount: number } }) => each.due.memberCount > 0)
        .map((each: { currency: string; due: { totalMinor: string; memberCount: number } }) => [
          each.currency,
          BigInt(each.due.totalMinor),
          each.due.memberCount,
        ]);
      expect([group, await paid(group)]).toEqual([group, due]);
    }
  });
});

describe('a preview of payouts that need no method', () => {
  const counted = async (group: string) => {
    const { body } = await ann.ask('GET', `/payouts/preview?group=${group}`);
    const listed = await ann.ask('GET', `/payouts/preview?group=${group}&withoutMethod=true`);
    const names = (rows: { name: string; currency: string; lacksMethod: boolean }[]): string[] =>
      rows.filter(({ lacksMethod }) => lacksMethod).map(({ name, currency }) => `${name} ${currency}`);
    expect(names(listed.body.rows), 'the filter lists exactly these').toEqual(names(body.rows));
    expect(listed.body.rows).toHaveLength(names(body.rows).length);
    const run = await ann.ask('GET', '/pay-runs/preview?limit=250');
    const ofGroup = run.body.groups.find(({ groupId }: { groupId: string }) => groupId === group);
    const counts = (totals: { currency: string; withoutMethodCount: number; withoutMethodMinor: string }[]) =>
      totals.map((each) => `${each.withoutMethodCount}: ${each.withoutMethodMinor} ${each.currency}`);
    expect(body.membersWithoutMethod, 'each creator once').toBe(
      new Set(listed.body.rows.map(({ name }: { name: string }) => name)).size,
    );
    expect(ofGroup.membersWithoutMethod).toBe(body.membersWithoutMethod);
    expect(counts(ofGroup.totals), 'as in the preview of all groups').toEqual(counts(body.totals));
    return { names: names(body.rows), counts: counts(body.totals) };
  };

  test('counts, adds up and lists the creators who are due without a method that can be used', async () => {
    const { a, b } = await earned('counted');
    await earn('counted', 'A', 50, { currency: 'EUR' });
    await settle();
    expect(await counted('counted')).toEqual({
      names: ['A EUR', 'A USD', 'B USD'],
      counts: ['1: 50 EUR', '2: 130 USD'],
    });
    const bank = await methodOf(a, sepa);
    expect(await counted('counted'), 'a bank account is only for euros').toEqual({
      names: ['A USD', 'B USD'],
      counts: ['0: 0 EUR', '2: 130 USD'],
    });
    const waiting = await enter(b, paypal);
    expect((await counted('counted')).counts, 'not approved yet').toEqual(['0: 0 EUR', '2: 130 USD']);
    await setWait(3);
    await approve(waiting);
    expect((await counted('counted')).counts, 'not usable yet').toEqual(['0: 0 EUR', '2: 130 USD']);
    await setWait(0);
    await methodOf(a, { ...paypal, email: 'a@example.com' });
    expect((await counted('counted')).counts).toEqual(['0: 0 EUR', '1: 30 USD']);
    await end(bank);
    expect((await counted('counted')).counts, 'PayPal pays euros, too').toEqual(['0: 0 EUR', '1: 30 USD']);
    await need(true);
    expect(await counted('counted'), 'creators without a method are blocked').toEqual({
      names: [],
      counts: ['0: 0 EUR', '0: 0 USD'],
    });
  });
});
