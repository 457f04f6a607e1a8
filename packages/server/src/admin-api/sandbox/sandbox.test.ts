import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Asking } from '../../../test/admin.ts';
import { asRole } from '../../../test/admin.ts';
import { addEndpoint } from '../../../test/endpoints.ts';
import { purchase } from '../../../test/fixtures.ts';
import { killWaiting, settleAll, useMoney } from '../../../test/money.ts';
import { type SignedInPerson, signIn } from '../../../test/staff.ts';
import { woken } from '../../../test/woken.ts';
import { type Role, roles } from '../../accounts/roles.ts';
import { startBounties } from '../../bounties/complete/bounty-worker.ts';
import { systemClock } from '../../platform/clock.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import {
  announceDueSchedules,
  areAnnouncementsDue,
} from '../../revenue-shares/schedules/announce-due-schedules.ts';

const { service, record, db, query, settle, expectSound } = useMoney();
const dayMs = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();

let owner: SignedInPerson;
const people = {} as Record<Role, SignedInPerson>;
beforeAll(async () => {
  await service().provision(`
    publisher: { id: aurora }
    groups:
      - { id: moba, members: [ { id: acc_bob } ] }
      - id: main
        payoutMinimums: { USD: 100 }
        schedules: [ { startDate: "${inDays(10)}", endDate: "${inDays(20)}", revShare: 50 } ]
        bounties:
          - { id: visits, name: Visits, startsAt: "${inDays(-2)}",
              objectives: [ { name: Visit, type: Event, eventCode: visit, count: 9 } ], rewards: [ { name: Thanks, type: External } ] }
          - { id: opening, name: Opening, startsAt: "${inDays(-1)}", endsAt: "${inDays(60)}",
              objectives: [ { id: sell, name: Sell, type: Purchase, count: 2 } ],
              rewards: [ { id: bonus, name: Bonus, type: Payment, amount: 700, currency: USD } ] }`);
  for (const role of roles) people[role] = await signIn(service(), role);
  owner = people.owner;
  await record(purchase({ code: 'ALICE' }));
  await settle();
});

/** Sends requests about a sandbox as a staff member of its live publisher. */
const inSandbox =
  (id: string, person: SignedInPerson = owner): Asking =>
  (method, path, json) =>
    person.ask(method, `/admin/v1/publishers/${id}${path}`, json);

let current: string | null = null;
/** Copies aurora to a new sandbox. @returns its id and a function that sends requests to it */
async function copy(): Promise<{ id: string; ask: Asking }> {
  const { status, body } = await owner.ask('POST', '/sandbox', { replaces: current });
  expect([status, body.isDone]).toEqual([200, true]);
  const id: string = body.sandbox.publisherId;
  current = id;
  return { id, ask: inSandbox(id) };
}

const aheadMs = async (ask: Asking): Promise<number> => (await ask('GET', '/sandbox')).body.sandbox.aheadMs;

const advance = async (ask: Asking, days: number) => {
  const { now, aheadMs: seen } = (await ask('GET', '/sandbox')).body.sandbox;
  const to = new Date(Date.parse(now) + days * dayMs).toISOString();
  return ask('POST', '/clock', { to, aheadMs: seen });
};

const buy = async (ask: Asking, code = 'ALICE', groupId = 'main') => {
  const { status, body } = await ask('POST', '/sandbox/purchases', {
    code,
    subtotalMinor: '5000',
    currency: 'USD',
    groupId,
  });
  expect([status, body.code]).toEqual([200, undefined]);
  await settleAll(db());
  return body;
};

const preview = async (ask: Asking) => (await ask('GET', '/payouts/preview?group=main')).body;

describe('a copy', () => {
  test("has the live publisher's program file, members and codes", async () => {
    const { id, ask } = await copy();
    const [copied, live] = await Promise.all(
      [ask, owner.ask].map(async (each) => parse((await each('GET', '/program-file')).text)),
    );
    const program = ({ groups }: { groups: Record<string, unknown>[] }) =>
      groups.map(({ members, ...group }) => group);
    expect(program(copied)).toEqual(program(live));
    expect(copied.publisher).toEqual({ id, name: 'Aurora Games (sandbox)' });
    const [main, moba] = copied.groups.map(({ members }: { members: Record<string, unknown>[] }) => members);
    expect(main).toMatchObject([
      {
        id: `${id}:acc_alice`,
        name: 'Alice',
        playerId: 'p-1',
        tier: 'Gold',
        playerMetadata: { displayName: 'Al' },
      },
      { id: `${id}:acc_bob`, name: 'Bob' },
      { id: `${id}:acc_pending`, status: 'Pending' },
      { id: `${id}:acc_removed`, status: 'Removed' },
    ]);
    expect(main[0].codes).toEqual([
      { code: 'ALICE', primary: true, group: 'main' },
      { code: 'AL-1', primary: false, generated: true, managed: true, group: 'main' },
      { code: 'OLD', primary: false, approved: false, group: 'main' },
    ]);
    // Alice's global code works in both groups. In moba, the group code BOB belongs to Dora, although Bob has
    // the code BOB in other groups.
    expect(
      moba.map(({ codes = [] }: { codes?: { code: string }[] }) => codes.map(({ code }) => code)),
    ).toEqual([['ALICE', 'MOBA-AL', 'OLD'], ['DORA', 'BOB'], []]);
    expect(JSON.stringify(copied)).not.toContain('identities');
  });

  test('has no purchases, keys, endpoints, staff or tokens', async () => {
    const { ask } = await copy();
    for (const path of ['/transactions', '/keys', '/endpoints', '/payouts', '/balances?currency=USD'])
      expect([path, (await ask('GET', path)).body.rows]).toEqual([path, []]);
    expect((await ask('GET', '/staff')).body).toEqual((await owner.ask('GET', '/staff')).body);
    const invited = await ask('POST', '/invitations', { email: 'a@example.com', role: 'viewer' });
    expect([invited.status, invited.body.message]).toEqual([
      403,
      expect.stringContaining('team of its live'),
    ]);
  });

  test('replaces the previous sandbox, whose keys, endpoints and screens stop working', async () => {
    const before = await copy();
    const { body: key } = await before.ask('POST', '/keys', { name: 'shop', kind: 'secret' });
    await addEndpoint(db(), before.id, 'http://127.0.0.1:1/', ['RevenueShare/ScheduleStarted']);
    const asKey = () => service().call('GET', '/v1/manage/groups', { key: key.key });
    expect((await asKey()).status).toBe(200);
    const stale = await owner.ask('POST', '/sandbox', { replaces: null });
    expect([stale.status, stale.body.code]).toEqual([409, 'Conflict']);

    const after = await copy();
    expect((await before.ask('GET', '/overview')).status).toBe(404);
    expect(await query(sql`select 1 from webhook_endpoint where publisher_id = ${before.id}`)).toEqual([]);
    await expect.poll(async () => (await asKey()).status, { timeout: 6_000 }).toBe(401);
    const { publishers } = (await owner.ask('GET', '/admin/v1/me')).body;
    expect(
      publishers.map((each: { publisherId: string; sandboxOf: string | null }) => [
        each.publisherId,
        each.sandboxOf,
      ]),
    ).toEqual([
      ['aurora', null],
      [after.id, 'aurora'],
    ]);
  });

  test('is made once for two concurrent requests, and never from a sandbox', async () => {
    const request = { replaces: current };
    const answers = await Promise.all(
      [owner, people.manager].map(({ ask }) => ask('POST', '/sandbox', request)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    current = (await owner.ask('GET', '/sandbox')).body.sandbox.publisherId;
    const { status, body } = await inSandbox(current ?? '')('POST', '/sandbox', { replaces: null });
    expect([status, body.message]).toEqual([409, expect.stringContaining('This is a sandbox')]);
  });

  test('is atomic: a failure in the last step leaves nothing behind, and the previous sandbox stays open', async () => {
    const { id } = await copy();
    const ids = () => query(sql`select publisher_id from publisher order by 1`);
    const before = await ids();
    await inTransaction(db(), async (tx) => {
      await sql`select 1 from publisher where publisher_id = 'aurora' for update`.execute(tx);
      const copying = owner.ask('POST', '/sandbox', { replaces: id });
      await killWaiting(db());
      expect((await copying).status).toBe(503);
    });
    expect(await ids()).toEqual(before);
    expect((await inSandbox(id)('GET', '/members')).body.rows).not.toEqual([]);
  });

  test('writes an audit entry at the live publisher and at the sandbox', async () => {
    const { id, ask } = await copy();
    const last = async (each: Asking) => (await each('GET', '/audit?action=sandbox')).body.rows[0];
    for (const each of [owner.ask, ask])
      expect(await last(each)).toMatchObject({
        action: 'sandbox.copy',
        target: `publisher:${id}`,
        actor: { kind: 'staff' },
      });
  });
});

describe('permissions', () => {
  let id = '';
  beforeAll(async () => {
    ({ id } = await copy());
  });

  test('match the live publisher, but developers may also change the program, and no role may change the team', async () => {
    const outcome = async (role: Role, method: string, path: string, json?: unknown) =>
      (await inSandbox(id, people[role])(method, path, json)).status;
    const allowed = async (method: string, path: string, json?: unknown): Promise<Role[]> => {
      const statuses = await Promise.all(roles.map((role) => outcome(role, method, path, json)));
      return roles.filter((_, index) => statuses[index] !== 403);
    };
    expect(await allowed('GET', '/sandbox')).toEqual(roles);
    expect(await allowed('GET', '/tokens')).toEqual([]);
    expect(await allowed('GET', '/keys')).toEqual(['owner', 'developer']);
    for (const [path, json] of [
      ['/clock', { to: inDays(-1), aheadMs: 0 }],
      ['/sandbox/purchases', { code: 'UNKNOWN', subtotalMinor: '1', currency: 'USD' }],
    ] as const)
      expect([path, await allowed('POST', path, json)]).toEqual([path, ['owner', 'manager', 'developer']]);
    expect((await people.developer.ask('POST', '/sandbox', { replaces: id })).status).toBe(403);
  });

  test('hide the sandbox from other publishers, tokens and people who were just removed', async () => {
    const rival = await signIn(service(), 'owner', { publisherId: 'rival' });
    const gone = await signIn(service(), 'manager');
    const token = await asRole(service(), 'owner');
    expect((await inSandbox(id, gone)('GET', '/sandbox')).status).toBe(200);
    await owner.ask('DELETE', `/staff/${gone.userId}`);
    for (const ask of [inSandbox(id, rival), inSandbox(id, gone)])
      expect((await ask('GET', '/sandbox')).status).toBe(404);
    expect((await token('GET', `/admin/v1/publishers/${id}/sandbox`)).status).toBe(404);
  });

  test('require the second factor that the live publisher requires', async () => {
    const { body: rules } = await owner.ask('GET', '/staff-rules');
    const strict = await owner.ask('PUT', '/staff-rules', { ...rules, demandsTwoFactor: true });
    expect((await inSandbox(id)('GET', '/sandbox')).body.message).toContain('second factor');
    const secured = await signIn(service(), 'owner', { hasSecondFactor: true });
    await secured.ask('PUT', '/staff-rules', { ...strict.body, demandsTwoFactor: false });
    expect((await inSandbox(id)('GET', '/sandbox')).status).toBe(200);
  });
});

describe('the clock', () => {
  test('moves only forward, once for two concurrent requests, and never for a live publisher', async () => {
    const { id, ask } = await copy();
    const advanceTo = async (each: Asking, to: string, seen = 0) => {
      const { status, body } = await each('POST', '/clock', { to, aheadMs: seen });
      return [status, body.message];
    };
    expect(await advanceTo(owner.ask, inDays(1))).toEqual([409, expect.stringContaining('live publisher')]);
    expect(await advanceTo(ask, inDays(-1))).toEqual([400, expect.stringContaining("can't go back")]);
    expect(await advanceTo(ask, inDays(3_660))).toEqual([400, expect.stringContaining('ten years')]);
    const both = await Promise.all([1, 2].map(() => ask('POST', '/clock', { to: inDays(5), aheadMs: 0 })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body.code).toBe('Stale');
    const ahead = await aheadMs(ask);
    expect(Math.abs(ahead - 5 * dayMs)).toBeLessThan(60_000);
    expect(await advanceTo(ask, inDays(4), ahead)).toEqual([400, expect.stringContaining("can't go back")]);

    const move = (publisher: string, sandboxOf: string, ms: number) =>
      query(
        sql`insert into clock_move (publisher_id, sandbox_of, ahead_ms, moved_at) values (${publisher}, ${sandboxOf}, ${ms}, now())`,
      );
    await expect(move('aurora', 'aurora', 1)).rejects.toThrow('foreign key');
    await expect(move('aurora', id, 1)).rejects.toThrow('foreign key');
    await expect(query(sql`update clock_move set ahead_ms = 1`)).rejects.toThrow('permission denied');
    await expect(query(sql`delete from clock_move`)).rejects.toThrow('permission denied');
    await move(id, 'aurora', 1); // a move to an earlier time has no effect
    expect(await aheadMs(ask)).toBe(ahead);
  });

  test('ends the hold period of purchases in the sandbox, but not of live purchases', async () => {
    const { ask } = await copy();
    const { transactionDate } = await buy(ask);
    const held = await preview(ask);
    const heldUntil = new Date(Date.parse(transactionDate) + 30 * dayMs).toISOString();
    expect(held.rows).toMatchObject([{ state: 'held', laterMinor: '1000', heldUntil }]);

    await advance(ask, 29.9);
    expect((await preview(ask)).rows).toMatchObject([{ state: 'held', heldUntil }]);
    expect((await ask('GET', '/attention')).body.due).toEqual([]);
    const early = (await preview(ask)).asOf;
    await advance(ask, 0.2);
    const due = await preview(ask);
    expect(due.rows).toMatchObject([{ state: 'due', amountMinor: '1000' }]);
    expect((await ask('GET', '/attention')).body.due).toEqual([{ groupId: 'main', currency: 'USD' }]);
    const scope = { groupId: 'main', currency: 'USD' };
    const late = await inSandbox(current ?? '', people.finance)('POST', '/payouts', {
      ...scope,
      asOf: early,
    });
    expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('sandbox clock')]);
    const { body: created } = await ask('POST', '/payouts', { ...scope, asOf: due.asOf });
    expect(created.payouts).toMatchObject([{ totalMinor: '1000', status: 'Created' }]);
    const [{ payoutId }] = created.payouts;
    const paid = await ask('POST', `/payouts/${payoutId}/pay`, { totalMinor: '1000' });
    expect(paid.status).toBe(200);
    const month = inDays(30.1).slice(0, 7);
    const { sums } = (await ask('GET', `/payouts/month?month=${month}`)).body;
    expect(sums).toMatchObject([{ paidMinor: '1000', paidCount: 1 }]);
    const file = await ask('GET', `/payouts/${payoutId}/items.csv`);
    expect(file.headers.get('content-disposition')).toContain('filename="sandbox-payout-USD-');
    expect((await preview(ask)).rows).toEqual([]);
    await expectSound();
    // A purchase made now has the sandbox clock's date. The default range of sums ends on the same date.
    await buy(ask);
    const { period, currencies } = (await ask('GET', '/overview')).body;
    expect(currencies).toMatchObject([{ currency: 'USD', now: { rowCount: expect.anything() } }]);
    expect(period.until > inDays(29)).toBe(true);
    expect((await owner.ask('GET', '/overview')).body.period.until < inDays(2)).toBe(true);
    expect((await preview(owner.ask)).rows).toMatchObject([{ state: 'due' }]); // the purchases from May, as before
  });

  test('starts and ends a schedule, with events and the scheduled share', async () => {
    const { id, ask } = await copy();
    await addEndpoint(db(), id, 'http://127.0.0.1:1/', [
      'RevenueShare/ScheduleStarted',
      'RevenueShare/ScheduleEnded',
    ]);
    const scheduleEvents = async () => {
      const { rows } = await sql`select 1 where ${areAnnouncementsDue(new Date())}`.execute(db());
      if (rows.length > 0) await announceDueSchedules(db(), new Date());
      const events = await query(sql<{ publisher_id: string; kind: string }>`
        select publisher_id, kind from webhook_event where kind like 'RevenueShare/%' order by event_id`);
      return events.map(({ publisher_id, kind }) => `${publisher_id} ${kind.split('/')[1]}`);
    };
    expect(await scheduleEvents()).toEqual([]);
    await advance(ask, 11);
    expect(await scheduleEvents()).toEqual([`${id} ScheduleStarted`]);
    const { body: key } = await ask('POST', '/keys', { name: 'shop', kind: 'secret' });
    const listed = await service().call('GET', '/v1/manage/scheduled-rev-shares', { key: key.key });
    expect(listed.body.scheduledRevShares).toMatchObject([{ status: 'Active' }]);
    await buy(ask, 'BOB');
    expect((await preview(ask)).rows).toMatchObject([{ name: 'Bob', laterMinor: '2500' }]);
    await advance(ask, 10);
    expect(await scheduleEvents()).toEqual([`${id} ScheduleStarted`, `${id} ScheduleEnded`]);
    expect(await scheduleEvents()).toHaveLength(2);
  });

  test('dates bounty rewards and events without a date, and ends a bounty', async () => {
    const running = async (each: Asking): Promise<string[]> =>
      (await each('GET', '/bounties?state=running')).body.rows.map(
        ({ bountyId }: { bountyId: string }) => bountyId,
      );
    const { ask } = await copy();
    await advance(ask, 30);
    const { body: key } = await ask('POST', '/keys', { name: 'shop', kind: 'secret' });
    const visit = { eventId: 'v-1', eventCode: 'visit', code: 'BOB', playerId: 'p' };
    const { body: event } = await service().call('POST', '/v1/events', {
      key: key.key,
      json: visit,
    });
    expect(event.occurredAt > inDays(29.9)).toBe(true);
    for (const _ of [1, 2]) await buy(ask, 'BOB');
    const worker = woken(
      db(),
      startBounties({
        db: db(),
        clock: systemClock,
        intervalMs: 10,
        onCompleted: () => {},
        onError: () => {},
      }),
    );
    const rewarded = async () => (await preview(ask)).totals[0]?.later.totalMinor;
    await expect
      .poll(rewarded)
      .toBe('1700')
      .finally(() => worker.stop());
    await advance(ask, 29);
    expect((await preview(ask)).rows).toMatchObject([{ state: 'held' }]);
    expect(await running(ask)).toEqual(['opening', 'visits']);
    await advance(ask, 2);
    expect((await preview(ask)).rows).toMatchObject([{ state: 'due', rewardsMinor: '700' }]);
    expect(await running(ask)).toEqual(['visits']);
    expect(await running(owner.ask)).toEqual(['opening', 'visits']);
  });
});

test('a code created in a sandbox is only a group code, so that it stays available to the live publisher', async () => {
  const { id, ask } = await copy();
  const add = (each: Asking, memberId: string, scope: string) =>
    each('PUT', `/members/${encodeURIComponent(memberId)}/codes/NOVA?group=main`, { scope });
  const everywhere = await add(ask, `${id}:acc_bob`, 'global');
  expect([everywhere.status, everywhere.body.message]).toEqual([
    409,
    expect.stringContaining('all publishers'),
  ]);
  expect((await add(ask, `${id}:acc_bob`, 'group')).status).toBe(200);
  expect((await add(owner.ask, 'acc_bob', 'global')).status).toBe(200);
});

test('purchases can be recorded from the dashboard only in sandboxes, under the usual rules', async () => {
  const { ask } = await copy();
  const input = { code: 'alice', subtotalMinor: '100', currency: 'USD' };
  const { status, body } = await owner.ask('POST', '/sandbox/purchases', input);
  expect([status, body.message]).toEqual([409, expect.stringContaining('your back end')]);
  for (const [wrong, errorCode] of [
    [{ ...input, code: 'PENDING' }, 'InvalidInput'],
    [{ ...input, currency: 'BTC' }, 'InvalidInput'],
    [{ ...input, groupId: 'nowhere' }, 'InvalidGroup'],
    [{ ...input, subtotalMinor: '9999999999999999' }, 'InvalidInput'],
  ] as const) {
    const answer = await ask('POST', '/sandbox/purchases', wrong);
    expect([answer.status, answer.body.code], answer.text).toEqual([400, errorCode]);
  }
  expect((await ask('GET', '/transactions')).body.rows).toEqual([]);
});
