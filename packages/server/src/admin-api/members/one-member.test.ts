import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { purchase } from '../../../test/fixtures.ts';
import { useLinking } from '../../../test/linking.ts';

const {
  service,
  db,
  record,
  settle,
  generate,
  makeOutsider,
  makeMember,
  makeEmptyGroup,
  linked,
  provisionGroup,
} = useLinking();
let owner: Asking;
let roles: Record<string, Asking>;
beforeAll(async () => {
  roles = await asEveryRole(service());
  owner = await asRole(service(), 'owner');
  await makeEmptyGroup(
    'club',
    'tiers: [ { id: 11111111-1111-4111-8111-111111111111, name: Silver, revShare: 30 } ]',
  );
});

let made = 0;
/** Adds a creator to the group `club` and returns the creator's id. */
async function make(facts: object = {}): Promise<string> {
  made += 1;
  const { status, body } = await owner('POST', '/members?group=club', { name: `Creator ${made}`, ...facts });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.memberId;
}
const at = (memberId: string, rest = ''): string =>
  `/members/${encodeURIComponent(memberId)}${rest}?group=club`;
const see = async (memberId: string) => (await owner('GET', at(memberId))).body;
const creditedBy = async (code: string): Promise<string | null> =>
  (await owner('GET', `/codes/${code}/check?group=club`)).body.credited?.memberId ?? null;
const audited = async (memberId: string): Promise<{ action: string; reason: string | null }[]> =>
  db()
    .selectFrom('audit_entry')
    .select(['action', 'reason'])
    .where('target', '=', `member:${memberId}`)
    .orderBy('audit_id')
    .execute();

describe('permission to change creators', () => {
  const allowedRoles = {
    members: ['owner', 'manager'],
    approve: ['owner', 'manager', 'support'],
  };
  test.each([
    ['POST', '/members?group=club', { name: 'By a role' }, allowedRoles.members],
    ['PATCH', at('acc_roles'), { version: 'none' }, allowedRoles.members],
    ['POST', at('acc_roles', '/remove'), { reason: 'Role' }, allowedRoles.members],
    ['POST', at('acc_roles', '/approve'), undefined, allowedRoles.approve],
    ['PUT', at('acc_roles', '/codes/ROLE-1'), { scope: 'group' }, allowedRoles.members],
    ['DELETE', `${at('acc_roles', '/codes/ROLE-1')}&scope=group`, undefined, allowedRoles.members],
    ['POST', '/members/acc_roles/auth-code', undefined, allowedRoles.approve],
  ])('%s %s', async (method, path, json, allowed) => {
    if ((await owner('GET', at('acc_roles'))).status === 404) await make({ id: 'acc_roles' });
    for (const [role, ask] of Object.entries(roles)) {
      const { status, body } = await ask(method, path, json);
      if (allowed.includes(role)) expect([200, 404, 409], `${role}: ${body.message}`).toContain(status);
      else expect({ role, status, code: body.code }).toEqual({ role, status: 403, code: 'Forbidden' });
    }
    const rival = await asRole(service(), 'owner', 'rival');
    expect((await rival(method, `/admin/v1/publishers/aurora${path}`, json)).status).toBe(404);
    const elsewhere = await rival(method, path, json);
    expect([404, 403], elsewhere.text).toContain(elsewhere.status);
    const signedOut = await service().call(method, `/admin/v1/publishers/aurora${path}`, {
      key: null,
      headers: { authorization: `Bearer svc_ok_${'x'.repeat(40)}` },
      ...(json !== undefined && { json }),
    });
    expect(signedOut.status).toBe(401);
  });
});

describe('a new creator', () => {
  test('is Approved, has its own id, and its codes are credited', async () => {
    const memberId = await make({
      name: 'Kira',
      playerId: 'kira-1',
      tier: 'Silver',
      codes: [{ code: 'KIRA' }, { code: 'KIRA-2', group: 'club' }],
      identities: [{ provider: 'twitch', id: '777' }],
    });
    expect(memberId).toMatch(/^acc_[0-9A-Za-z]{16}$/);
    expect(await see(memberId)).toMatchObject({
      name: 'Kira',
      isOurs: true,
      groupId: 'club',
      playerId: 'kira-1',
      status: 'Approved',
      tier: { name: 'Silver' },
      codes: [
        { code: 'KIRA', scope: 'global', isPrimary: true, isApproved: true },
        { code: 'KIRA-2', scope: 'group', isPrimary: false },
      ],
      identities: [{ provider: 'twitch', id: '777' }],
      money: [],
      bounties: [],
      claims: [],
      authCode: { mayIssue: true, goodUntil: null },
    });
    expect(await creditedBy('KIRA-2')).toBe(memberId);
    expect(await audited(memberId)).toEqual([{ action: 'member.put', reason: null }]);
  });

  test.each([
    [{ id: 'acc_taken' }, 409, /already has a member acc_taken \(Approved\)/],
    [{ codes: [{ code: 'TAKEN' }] }, 409, /the code TAKEN belongs to another member/],
    [{ playerId: 'taken' }, 409, /another member of group club has the playerId/],
    [{ id: 'acc_rival' }, 409, /doesn't belong to publisher aurora/],
    [{ tier: 'Bronze' }, 400, /no tier named Bronze; use one of /],
    [{ codes: [{ code: 'not a code' }] }, 400, /code/],
    [{ name: '' }, 400, /name/],
    [{ status: 'Removed' }, 400, /status/],
    [{ nickname: 'x' }, 400, /nickname|additional/],
  ])('is rejected as a whole: %j', async (facts, status, message) => {
    if ((await owner('GET', at('acc_taken'))).status === 404)
      await make({ id: 'acc_taken', playerId: 'taken', codes: [{ code: 'TAKEN' }] });
    const before = await db().selectFrom('membership').select('membership_id').execute();
    const answer = await owner('POST', '/members?group=club', { name: 'Rejected', ...facts });
    expect(answer.status).toBe(status);
    expect(answer.body.message).toMatch(message);
    expect(await db().selectFrom('membership').select('membership_id').execute()).toHaveLength(before.length);
  });

  test('needs an existing group', async () => {
    expect((await owner('POST', '/members?group=hidden', { name: 'X' })).status).toBe(404);
  });
});

describe('changing a creator', () => {
  test('changes only the properties in the request', async () => {
    const memberId = await make({ playerId: 'change-1', tier: 'Silver' });
    const { version } = await see(memberId);
    const answer = await owner('PATCH', at(memberId), { version, name: 'Renamed', tier: null });
    expect(answer.body).toMatchObject({ name: 'Renamed', tier: null, playerId: 'change-1' });
    expect(answer.body.version).not.toBe(version);
    expect((await audited(memberId)).map(({ action }) => action)).toEqual(['member.put', 'member.put']);
  });

  test('is rejected as stale after any other change', async () => {
    const memberId = await make();
    const changes: (() => Promise<unknown>)[] = [
      async () => owner('PATCH', at(memberId), { version: (await see(memberId)).version, name: 'First' }),
      () => owner('PUT', at(memberId, '/codes/OVERTAKE'), { scope: 'group' }),
      () => owner('POST', at(memberId, '/remove'), { reason: 'Left' }),
      () => provisionGroup('club', `revShare: 10, members: [ { id: ${memberId}, name: By file } ]`),
    ];
    for (const change of changes) {
      const { version } = await see(memberId);
      await change();
      const stale = await owner('PATCH', at(memberId), { version, name: 'Late' });
      expect(stale).toMatchObject({ status: 409, body: { code: 'Stale' } });
    }
    expect((await see(memberId)).name).toBe('By file');
  });

  test('saves one of two concurrent changes', async () => {
    const memberId = await make();
    const { version } = await see(memberId);
    const answers = await Promise.all(
      ['One', 'Other'].map((name) => owner('PATCH', at(memberId), { version, name })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("cannot change the name, images and global codes of a creator's own account", async () => {
    await makeOutsider('Strange');
    await service().provision(
      '{ publisher: { id: rival }, groups: [ { id: main, revShare: 30, members: [ { id: acc_both, name: Both, codes: [ { code: BOTH } ] } ] } ] }',
    );
    await sql`
      insert into membership (publisher_id, membership_id, group_id, account_id, status)
      values ('aurora', '01900000-0000-7000-8000-0000000000aa', 'club', 'acc_both', 'Approved')`.execute(
      db(),
    );
    const member = await see('acc_both');
    expect(member).toMatchObject({
      isOurs: false,
      name: 'Both',
      authCode: { mayIssue: false, goodUntil: null },
    });
    const { version } = member;
    expect((await owner('PATCH', at('acc_both'), { version, name: 'Ours' })).status).toBe(403);
    expect((await owner('PUT', at('acc_both', '/codes/BOTH-2'), { scope: 'global' })).status).toBe(403);
    expect((await owner('DELETE', `${at('acc_both', '/codes/BOTH')}&scope=global`)).status).toBe(403);
    expect((await owner('POST', '/members/acc_both/auth-code')).status).toBe(403);
    const changed = await owner('PATCH', at('acc_both'), { version, playerId: 'both-1', tier: 'Silver' });
    expect(changed.body).toMatchObject({ name: 'Both', playerId: 'both-1', tier: { name: 'Silver' } });
    expect((await owner('PUT', at('acc_both', '/codes/BOTH-CLUB'), { scope: 'group' })).status).toBe(200);
  });
});

describe('codes of a creator', () => {
  test('are added, made primary, disapproved and removed', async () => {
    const memberId = await make({ codes: [{ code: 'CODES-1', group: 'club' }] });
    const put = (code: string, body: object) => owner('PUT', at(memberId, `/codes/${code}`), body);
    expect((await put('CODES-2', { scope: 'group' })).body.codes).toHaveLength(2);
    expect((await put('codes-2', { scope: 'group', isPrimary: true })).body.codes).toMatchObject([
      { code: 'codes-2', isPrimary: true },
      { code: 'CODES-1', isPrimary: false },
    ]);
    expect(await creditedBy('CODES-2')).toBe(memberId);
    await put('CODES-2', { scope: 'group', isApproved: false });
    expect(await creditedBy('CODES-2')).toBeNull();
    await put('CODES-2', { scope: 'group', isApproved: true });
    const left = await owner('DELETE', `${at(memberId, '/codes/CODES-2')}&scope=group`);
    expect(left.body.codes).toMatchObject([{ code: 'CODES-1', isPrimary: true }]);
    expect(await creditedBy('CODES-2')).toBeNull();
    expect((await owner('DELETE', `${at(memberId, '/codes/CODES-2')}&scope=group`)).status).toBe(404);
    expect((await owner('DELETE', `${at(memberId, '/codes/CODES-1')}&scope=global`)).status).toBe(404);
    expect((await audited(memberId)).at(-1)?.action).toBe('member.remove-code');
  });

  test('are rejected while another member has them; a removed code becomes available and keeps its credited purchases', async () => {
    const first = await make({ codes: [{ code: 'MOVES' }, { code: 'STAYS' }] });
    const second = await make();
    const takes = () => owner('PUT', at(second, '/codes/MOVES'), { scope: 'global' });
    await record(purchase({ transactionId: 'moves', code: 'MOVES' }), { query: '?groupId=club' });
    expect(await takes()).toMatchObject({ status: 409, body: { code: 'Conflict' } });
    await owner('DELETE', `${at(first, '/codes/MOVES')}&scope=global`);
    const refused = await record(purchase({ code: 'MOVES' }), { query: '?groupId=club' });
    expect(refused.status).toBe(400);
    expect((await takes()).status).toBe(200);
    expect(await creditedBy('MOVES')).toBe(second);
    await settle();
    expect((await see(first)).money).toMatchObject([{ currency: 'USD', purchases: 0, balanceMinor: '100' }]);
  });
});

describe('joining and leaving', () => {
  test('approves a creator, removes it with a reason, and approves it again', async () => {
    const memberId = await make({ status: 'Pending', codes: [{ code: 'JOINS' }] });
    expect(await creditedBy('JOINS')).toBeNull();
    expect((await owner('POST', at(memberId, '/approve'))).body.status).toBe('Approved');
    expect((await owner('POST', at(memberId, '/approve'))).status).toBe(200);
    expect(await creditedBy('JOINS')).toBe(memberId);
    const removed = await owner('POST', at(memberId, '/remove'), { reason: 'Sold the channel' });
    expect(removed.body).toMatchObject({
      status: 'Removed',
      removalReason: 'Sold the channel',
      removedAt: expect.any(String),
    });
    expect(await creditedBy('JOINS')).toBeNull();
    expect((await owner('POST', at(memberId, '/approve'))).body).toMatchObject({ removalReason: null });
    expect(await audited(memberId)).toEqual([
      { action: 'member.put', reason: null },
      { action: 'member.approve', reason: null },
      { action: 'member.remove', reason: 'Sold the channel' },
      { action: 'member.approve', reason: null },
    ]);
  });

  test.each([{}, { reason: '' }, { reason: 'x'.repeat(256) }])(
    'does not remove a creator without a reason: %j',
    async (body) => {
      expect((await owner('POST', at('acc_roles', '/remove'), body)).status).toBe(400);
    },
  );
});

describe('a creator’s details', () => {
  test('show recent earnings and the balance by currency', async () => {
    const memberId = await make({ codes: [{ code: 'EARNS' }] });
    const transactionDate = new Date(Date.now() - 86_400_000).toISOString();
    await record(purchase({ code: 'EARNS', subtotal: 1_000, transactionDate }), { query: '?groupId=club' });
    await record(purchase({ code: 'EARNS', subtotal: 500, currency: 'JPY' }), { query: '?groupId=club' });
    await settle();
    expect((await see(memberId)).money).toEqual([
      { currency: 'JPY', balanceMinor: '50', purchases: 0, grossMinor: '0', shareMinor: '0' },
      { currency: 'USD', balanceMinor: '100', purchases: 1, grossMinor: '1000', shareMinor: '100' },
    ]);
  });

  test('include a generated member that was claimed with an auth code', async () => {
    const code = await generate('club', 'claimed-1');
    await record(purchase({ code, subtotal: 2_000 }), { query: '?groupId=club' });
    const list = await owner('GET', '/members?group=club&q=claimed-1');
    const [{ memberId: generated }] = list.body.rows;
    const creator = await makeMember('club', 'Claimer');
    await linked('club', creator, 'claimed-1');
    await settle();
    const member = await see(creator);
    expect(member).toMatchObject({
      memberId: creator,
      playerId: 'claimed-1',
      claims: [{ memberId: generated, name: 'claimed-1' }],
      money: [{ currency: 'USD', balanceMinor: '200' }],
    });
    expect(member.codes.map((each: { code: string }) => each.code)).toContain(code);
    // The claimed member's id resolves to the creator who claimed the member.
    expect((await see(generated)).memberId).toBe(creator);
    expect((await owner('GET', '/members?group=club&q=claimed-1')).body.rows).toHaveLength(1);
  });

  test('show an auth code only once, and then its expiration', async () => {
    const memberId = await make();
    const issued = await owner('POST', `/members/${memberId}/auth-code`);
    expect(issued.body.authCode).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    expect(issued.headers.get('cache-control')).toBe('no-store');
    const seen = await owner('GET', at(memberId));
    expect(seen.body.authCode).toEqual({ mayIssue: true, goodUntil: issued.body.expiresAt });
    expect(seen.text).not.toContain(issued.body.authCode);
    await linked('club', memberId, `auth-${memberId}`);
    expect((await audited(memberId)).map(({ action }) => action)).toContain('auth-code.issue');
  });

  test.each(['acc_unknown', 'acc_rival', 'x%2Fy'])('are not found: %s', async (memberId) => {
    expect((await owner('GET', `/members/${memberId}`)).status).toBe(404);
  });
});
