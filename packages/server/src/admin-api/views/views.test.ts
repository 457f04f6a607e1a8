import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Asking } from '../../../test/admin.ts';
import { asRole } from '../../../test/admin.ts';
import { useManagement } from '../../../test/management.ts';
import { type SignedInPerson, signIn } from '../../../test/staff.ts';
import type { Role } from '../../accounts/roles.ts';

const { service } = useManagement();
const db = () => service().testDatabase.database.db;
let people: Record<'owner' | 'support' | 'viewer', SignedInPerson>;
beforeAll(async () => {
  const person = (role: Role) => signIn(service(), role);
  people = { owner: await person('owner'), support: await person('support'), viewer: await person('viewer') };
});

const refunds = { list: 'transactions', name: 'Refunds', query: { status: 'refund', hide: 'percent' } };
const named = (name: string) => ({ ...refunds, name });

const namesFor = async (ask: Asking, list = 'transactions'): Promise<string[]> => {
  const { status, body } = await ask('GET', `/views?list=${list}`);
  expect(status).toBe(200);
  return body.views.map(
    (each: { name: string; isShared: boolean }) => `${each.name}${each.isShared ? ' (team)' : ''}`,
  );
};
const save = async (ask: Asking, view: object, shared = false) => {
  const answer = await ask('POST', shared ? '/shared-views' : '/views', view);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as { viewId: string; version: string; name: string };
};
const removal = ({ viewId, version }: { viewId: string; version: string }) => `${viewId}?version=${version}`;

describe('a view', () => {
  test.each([
    ['a position in the list', { cursor: 'x' }],
    ['an open row', { open: 'order-1' }],
    ['a filter of another list', { actorKind: 'key' }],
    ['a name that every object has', { constructor: 'x' }],
    ['an empty value', { status: '' }],
    ['a value that is too long', { code: 'x'.repeat(601) }],
    ['a value that is not text', { status: ['refund'] }],
  ])('never contains %s', async (_, query) => {
    const { status, body } = await people.owner.ask('POST', '/views', { ...refunds, query });
    expect([status, body.code]).toEqual([400, 'InvalidInput']);
  });

  test.each(['', '   ', 'x'.repeat(81), 'two\nlines'])('needs a readable name: %j', async (name) => {
    expect((await people.owner.ask('POST', '/views', named(name))).status).toBe(400);
  });

  test('is seen by its owner only, or by the whole team if it is shared', async () => {
    const { owner, support, viewer } = people;
    await save(support.ask, named('Mine'));
    await save(support.ask, named('Ours'), true);
    expect(await namesFor(support.ask)).toEqual(['Mine', 'Ours (team)']);
    for (const { ask } of [owner, viewer]) expect(await namesFor(ask)).toEqual(['Ours (team)']);
    expect(await namesFor(await asRole(service(), 'viewer'))).toEqual(['Ours (team)']);
    const rival = await signIn(service(), 'owner', { publisherId: 'rival' });
    expect(await namesFor(rival.ask)).toEqual([]);
  });

  test('is changed and removed only by its owner', async () => {
    const { owner, support, viewer } = people;
    const rival = await signIn(service(), 'owner', { publisherId: 'rival' });
    const mine = await save(support.ask, named('Private'));
    const ours = await save(support.ask, named('Shared'), true);
    const change = { version: mine.version, name: 'Taken', query: {} };
    for (const { ask } of [owner, viewer, rival]) {
      expect((await ask('PUT', `/views/${mine.viewId}`, change)).status).toBe(404);
      expect((await ask('DELETE', `/views/${removal(mine)}`)).status).toBe(404);
      expect((await ask('PUT', '/default-view', { list: 'transactions', viewId: mine.viewId })).status).toBe(
        404,
      );
    }
    expect((await viewer.ask('POST', '/shared-views', named('Mine'))).status).toBe(403);
    expect((await viewer.ask('DELETE', `/shared-views/${removal(ours)}`)).status).toBe(403);
    expect((await rival.ask('DELETE', `/shared-views/${removal(ours)}`)).status).toBe(404);
    // A private view can't be reached as a shared one, and vice versa.
    expect((await owner.ask('DELETE', `/shared-views/${removal(mine)}`)).status).toBe(404);
    expect((await support.ask('DELETE', `/views/${removal(ours)}`)).status).toBe(404);
    expect((await owner.ask('DELETE', `/shared-views/${removal(ours)}`)).status).toBe(200);
    expect((await support.ask('DELETE', `/views/${removal(mine)}`)).status).toBe(200);
    expect((await support.ask('DELETE', `/views/${removal(mine)}`)).status).toBe(404);
  });

  test('belongs to a list that the person may see', async () => {
    const ofAudit = { list: 'audit', name: 'Payouts', query: { action: 'payout' } };
    await save(people.owner.ask, ofAudit, true);
    expect(await namesFor(people.owner.ask, 'audit')).toEqual(['Payouts (team)']);
    const { ask } = people.support;
    for (const [method, path, body] of [
      ['GET', '/views?list=audit'],
      ['POST', '/views', ofAudit],
      ['POST', '/shared-views', ofAudit],
      ['PUT', '/default-view', { list: 'audit', viewId: null }],
    ] as const)
      expect((await ask(method, path, body)).status, `${method} ${path}`).toBe(403);
    expect((await ask('GET', '/views?list=people')).status).toBe(400);
  });

  test('is not saved for an operator token, which can only share views', async () => {
    const token = await asRole(service(), 'manager');
    expect((await token('POST', '/views', named('Own'))).status).toBe(403);
    const view = await save(token, named('By a program'), true);
    expect((await token('DELETE', `/shared-views/${removal(view)}`)).status).toBe(200);
  });
});

describe('two tabs', () => {
  test('a stale change is rejected and loses nothing', async () => {
    const { owner, support } = people;
    const view = await save(owner.ask, named('Weekly'), true);
    const path = `/shared-views/${view.viewId}`;
    const change = (name: string) => ({ version: view.version, name, query: { status: 'fraud' } });
    const both = await Promise.all(
      [owner, support].map(({ ask }, at) => ask('PUT', path, change(`Weekly ${at}`))),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'Stale' });
    expect((await owner.ask('DELETE', `/shared-views/${removal(view)}`)).status).toBe(409);
    const saved = both.find(({ status }) => status === 200)?.body;
    const again = { version: saved.version, name: saved.name, query: saved.query };
    expect((await owner.ask('PUT', path, again)).body.version, 'no change').toBe(saved.version);
    expect((await owner.ask('DELETE', `/shared-views/${removal(saved)}`)).status).toBe(200);
    expect((await owner.ask('PUT', path, again)).status).toBe(404);
  });

  test('a name is used once by an owner and list, also for concurrent saves', async () => {
    const { owner, support } = people;
    const both = await Promise.all([1, 2].map(() => owner.ask('POST', '/views', named('Once'))));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    await save(support.ask, named('Once'));
    await save(owner.ask, named('Once'), true);
    await save(owner.ask, { ...named('Once'), list: 'creators', query: { tab: 'pending' } });
    const other = await save(owner.ask, named('Twice'));
    const rename = { version: other.version, name: ' Once ', query: {} };
    const { status, body } = await owner.ask('PUT', `/views/${other.viewId}`, rename);
    expect([status, body.code]).toEqual([409, 'Conflict']);
  });

  test('a person has at most 100 views, also for concurrent saves', async () => {
    const { ask, userId } = await signIn(service(), 'manager');
    await sql`
      insert into saved_view (publisher_id, view_id, list, user_id, name, query)
      select 'aurora', gen_random_uuid(), 'audit', ${userId}, 'View ' || n, '{}' from generate_series(1, 99) n`.execute(
      db(),
    );
    const three = await Promise.all(['A', 'B', 'C'].map((name) => ask('POST', '/views', named(name))));
    expect(three.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});

describe('the default view', () => {
  const defaultOf = async (ask: Asking) => (await ask('GET', '/views?list=creators')).body.defaultViewId;
  const choose = (ask: Asking, viewId: string | null, list = 'creators') =>
    ask('PUT', '/default-view', { list, viewId });

  test('is each person’s own, and ends with the view', async () => {
    const { owner, support } = people;
    const pending = { list: 'creators', name: 'Pending', query: { tab: 'pending' } };
    const shared = await save(owner.ask, pending, true);
    for (const { ask } of [owner, support]) expect((await choose(ask, shared.viewId)).status).toBe(200);
    expect((await choose(owner.ask, null)).status).toBe(200);
    expect([await defaultOf(owner.ask), await defaultOf(support.ask)]).toEqual([null, shared.viewId]);
    expect((await choose(owner.ask, shared.viewId, 'transactions')).status).toBe(404);
    expect((await choose(owner.ask, 'no-id')).status).toBe(404);
    expect((await owner.ask('DELETE', `/shared-views/${removal(shared)}`)).status).toBe(200);
    expect(await defaultOf(support.ask)).toBe(null);
  });
});

test('a person who is removed leaves the shared views behind, and no private ones', async () => {
  const { ask, userId, email } = await signIn(service(), 'manager');
  const mine = await save(ask, { list: 'bounties', name: 'Mine', query: {} });
  await save(ask, { list: 'bounties', name: 'Ours', query: { tab: 'over' } }, true);
  await ask('PUT', '/default-view', { list: 'bounties', viewId: mine.viewId });
  expect((await people.owner.ask('DELETE', `/staff/${userId}`)).status).toBe(200);
  expect((await ask('GET', '/views?list=bounties')).status).toBe(404);
  const back = await signIn(service(), 'manager', { email });
  expect(await namesFor(back.ask, 'bounties')).toEqual(['Ours (team)']);
});

test('a sandbox shows the views of its live publisher', async () => {
  const { owner } = people;
  const { sandbox } = (await owner.ask('POST', '/sandbox', { replaces: null })).body;
  const there: Asking = (method, path, json) =>
    owner.ask(method, `/admin/v1/publishers/${sandbox.publisherId}${path}`, json);
  await save(there, { list: 'due', name: 'Euros', query: { currency: 'EUR' } });
  expect(await namesFor(owner.ask, 'due')).toEqual(['Euros']);
  expect(await namesFor(there, 'due')).toEqual(['Euros']);
});

test('only changes of shared views are audited', async () => {
  const { ask } = people.owner;
  const mine = await save(ask, { list: 'clawbacks', name: 'Quiet', query: {} });
  await ask('DELETE', `/views/${removal(mine)}`);
  const view = await save(ask, { list: 'clawbacks', name: 'Open', query: { waiting: 'true' } }, true);
  const changed = await ask('PUT', `/shared-views/${view.viewId}`, {
    version: view.version,
    name: 'Not deducted',
    query: { waiting: 'true' },
  });
  await ask('DELETE', `/shared-views/${removal(changed.body)}`);
  const { rows } = (await ask('GET', `/audit?target=view:${view.viewId}`)).body;
  expect(rows.map(({ action }: { action: string }) => action)).toEqual([
    'view.remove',
    'view.change',
    'view.create',
  ]);
  expect(rows[1]).toMatchObject({ before: { name: 'Open' }, after: { name: 'Not deducted' } });
  expect((await ask('GET', `/audit?target=view:${mine.viewId}`)).body.rows).toEqual([]);
});
