import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asRole } from '../../test/admin.ts';
import { png } from '../../test/images.ts';
import { usePortal } from '../../test/portal.ts';
import { testSealer } from '../../test/sealer.ts';
import { type CrashingDatabase, openCrashingDatabase } from '../../test/simulation/crashing-database.ts';
import { crashMessage } from '../../test/simulation/life.ts';
import { signIn } from '../../test/staff.ts';
import { testActor } from '../../test/test-actor.ts';
import { authCodeSecret } from '../linking/issue-auth-code.ts';
import { toAccountId } from '../platform/ids.ts';
import { acceptAndSignIn } from '../portal/accept-creator-invitation.ts';
import { claimWithCode } from '../portal/claim-with-code.ts';
import { inviteCreator } from '../portal/invite-creator.ts';

let nowMs = Date.now();
const clock = { now: () => new Date(nowMs) };
const portal = await usePortal({ clock });
const { service, sink, browser, nextMail, signedIn, creator, owner, query, db, makeMember, authCode } =
  portal;

const invite = async (memberId: string, email: string, publisherId = 'aurora') =>
  (await owner(publisherId)).ask('POST', `/members/${memberId}/portal-invitations`, { email });
const stateOf = async (memberId: string) =>
  (await (await owner()).ask('GET', `/members/${memberId}/portal`)).body;
const entriesOf = (memberId: string) =>
  query(sql<{ action: string; actor_kind: string; actor_id: string; after: object | null }>`
    select action, actor_kind, actor_id, after from audit_entry
    where target = ${`member:${memberId}`} and action like 'portal.%'
    order by audit_id`);

describe('an invitation', () => {
  test('is emailed by the publisher, accepted once, and signs in as the invited address', async () => {
    const memberId = await makeMember('main', 'INVITED');
    expect(await stateOf(memberId)).toEqual({ isOn: true, connected: null, invitation: null });
    const invited = await invite(memberId, ' Nia@Example.com');
    expect(invited).toMatchObject({ status: 200, body: { email: 'nia@example.com', isMailed: true } });
    const mail = await nextMail();
    expect(mail).toMatchObject({ to: 'nia@example.com' });
    expect(mail.link.pathname).toBe('/creators/invitation');
    expect(JSON.stringify(invited.body)).not.toContain(mail.token);
    expect(await stateOf(memberId)).toMatchObject({
      isOn: true,
      connected: null,
      invitation: { email: 'nia@example.com' },
    });
    for (const method of ['GET', 'HEAD'])
      await fetch(service().url + mail.link.pathname + mail.link.hash, { method });

    const nia = browser();
    expect(await nia.post('/auth/invitation', { token: mail.token })).toMatchObject({
      status: 200,
      body: { publisherName: 'Aurora Games', accountName: 'INVITED', email: 'nia@example.com' },
    });
    expect(await nia.post('/auth/invitation/accept', { token: mail.token, as: 'signed-in' })).toMatchObject({
      status: 401,
    });
    expect(await nia.post('/auth/invitation/accept', { token: mail.token, as: 'invited' })).toMatchObject({
      status: 200,
      body: { email: 'nia@example.com' },
    });
    expect((await nia.get('/accounts')).body.rows).toMatchObject([
      {
        accountId: memberId,
        name: 'INVITED',
        proof: 'invitation',
        publishers: [{ publisherId: 'aurora', name: 'Aurora Games', isSandbox: false }],
      },
    ]);
    expect(await stateOf(memberId)).toMatchObject({ connected: { proof: 'invitation' }, invitation: null });
    for (const as of ['invited', 'signed-in'])
      expect(await nia.post('/auth/invitation/accept', { token: mail.token, as })).toMatchObject({
        status: 404,
        body: { message: expect.stringContaining('already used') },
      });
    expect(await invite(memberId, 'nia@example.com')).toMatchObject({ status: 409 });
    expect(await entriesOf(memberId)).toMatchObject([
      { action: 'portal.invite', actor_kind: 'staff', after: { email: 'nia@example.com' } },
      { action: 'portal.connect', actor_kind: 'creator', actor_id: memberId, after: { proof: 'invitation' } },
    ]);
  });

  test('may be accepted by the person who is signed in, under another address', async () => {
    const memberId = await makeMember('main', 'TWO-ADDRESSES');
    const person = await signedIn('mine@example.com');
    await invite(memberId, 'theirs@example.com');
    const { token } = await nextMail();
    expect(await person.post('/auth/invitation/accept', { token, as: 'signed-in' })).toMatchObject({
      status: 200,
      body: { email: 'mine@example.com' },
    });
    expect((await person.get('/accounts')).body.rows).toMatchObject([{ accountId: memberId }]);
    expect(await query(sql`select 1 from portal_user where email = 'theirs@example.com'`)).toEqual([]);
  });

  test('connects one person if two accept it at once', async () => {
    const memberId = await makeMember('main', 'RACED');
    await invite(memberId, 'raced@example.com');
    const { token } = await nextMail();
    const [one, two] = [await signedIn('race-1@example.com'), await signedIn('race-2@example.com')];
    const answers = await Promise.all([
      one.post('/auth/invitation/accept', { token, as: 'signed-in' }),
      two.post('/auth/invitation/accept', { token, as: 'signed-in' }),
      browser().post('/auth/invitation/accept', { token, as: 'invited' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(await query(sql`select 1 from portal_user_account where account_id = ${memberId}`)).toHaveLength(
      1,
    );
  });

  test('replaces earlier ones, expires after seven days, and can be withdrawn', async () => {
    const memberId = await makeMember('main', 'REPLACED');
    await invite(memberId, 'first@example.com');
    const first = await nextMail();
    await invite(memberId, 'second@example.com');
    const second = await nextMail();
    expect(await browser().post('/auth/invitation', { token: first.token })).toMatchObject({ status: 404 });
    nowMs += 7 * 86_400_000;
    expect(
      await browser().post('/auth/invitation/accept', { token: second.token, as: 'invited' }),
    ).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('expired') },
    });
    nowMs -= 7 * 86_400_000; // or the staff's sessions would have ended
    await invite(memberId, 'third@example.com');
    const third = await nextMail();
    expect(await (await owner()).ask('DELETE', `/members/${memberId}/portal`)).toMatchObject({ status: 200 });
    expect(
      await browser().post('/auth/invitation/accept', { token: third.token, as: 'invited' }),
    ).toMatchObject({
      status: 404,
    });
    expect(await (await owner()).ask('DELETE', `/members/${memberId}/portal`)).toMatchObject({ status: 409 });
  });

  test('is only for accounts that belong to this publisher alone', async () => {
    const mails = sink().mails.length;
    expect(await invite('acc_rival', 'x@example.com')).toMatchObject({ status: 404 });
    expect(await invite('acc_nobody', 'x@example.com')).toMatchObject({ status: 404 });
    const shared = await makeMember('main', 'SHARED');
    await query(sql`
      insert into membership (publisher_id, membership_id, group_id, account_id, status)
      values ('rival', gen_random_uuid(), 'main', ${shared}, 'Approved')`);
    expect(await invite(shared, 'x@example.com')).toMatchObject({ status: 403 });
    expect(await invite(shared, 'x@example.com', 'rival')).toMatchObject({ status: 403 });
    const own = await makeMember('main', 'OWN-NOW');
    expect(await invite(own, 'no address')).toMatchObject({ status: 400 });
    await query(sql`update creator_account set owner_publisher_id = null where account_id = ${own}`);
    expect(await invite(own, 'x@example.com')).toMatchObject({ status: 403 });
    expect(sink().mails).toHaveLength(mails);
  });

  test('no longer connects an account that has joined another publisher', async () => {
    const memberId = await makeMember('main', 'JOINS-LATER');
    await invite(memberId, 'later@example.com');
    const { token } = await nextMail();
    await query(sql`
      insert into membership (publisher_id, membership_id, group_id, account_id, status)
      values ('rival', gen_random_uuid(), 'main', ${memberId}, 'Approved')`);
    expect(await browser().post('/auth/invitation/accept', { token, as: 'invited' })).toMatchObject({
      status: 403,
    });
    expect(await query(sql`select 1 from portal_user_account where account_id = ${memberId}`)).toEqual([]);
    expect(await query(sql`select 1 from portal_user where email = 'later@example.com'`)).toEqual([]);
  });

  test('needs the permission to change creators', async () => {
    const memberId = await makeMember('main', 'PERMITTED');
    for (const role of ['viewer', 'support', 'finance', 'developer'] as const) {
      const ask = await asRole(service(), role);
      expect(
        await ask('POST', `/members/${memberId}/portal-invitations`, { email: 'x@example.com' }),
      ).toMatchObject({
        status: 403,
      });
      expect(await ask('DELETE', `/members/${memberId}/portal`)).toMatchObject({ status: 403 });
      expect(await ask('GET', `/members/${memberId}/portal`)).toMatchObject({ status: 200 });
    }
  });
});

describe('an auth code', () => {
  test('connects its account after a preview, once', async () => {
    const memberId = await makeMember('main', 'TYPED');
    const person = await signedIn('typed@example.com');
    const code = await authCode(memberId);
    const shown = { accountId: memberId, name: 'TYPED', publishers: [{ publisherId: 'aurora' }] };
    expect(await person.post('/claims/preview', { authCode: code.toLowerCase() })).toMatchObject({
      status: 200,
      body: { ...shown, isOwn: false },
    });
    expect((await person.get('/accounts')).body.rows).toEqual([]);
    expect(await person.get('/home?publisher=aurora')).toMatchObject({ status: 404 });
    expect(await person.post('/claims', { authCode: code })).toMatchObject({ status: 200, body: shown });
    expect(await person.get('/home?publisher=aurora')).toMatchObject({ status: 200 });
    expect(await person.post('/claims', { authCode: code })).toMatchObject({
      status: 400,
      body: { code: 'InvalidAuthCode' },
    });
    const again = await authCode(memberId);
    expect(await person.post('/claims/preview', { authCode: again })).toMatchObject({
      body: { isOwn: true },
    });
    const [entry] = await entriesOf(memberId);
    expect(entry).toMatchObject({
      action: 'portal.connect',
      actor_kind: 'creator',
      after: { proof: 'auth-code' },
    });
    expect(JSON.stringify(entry)).not.toContain('typed@example.com');
  });

  test('of an account that another person has is refused, and keeps its code', async () => {
    const memberId = await makeMember('main', 'TAKEN');
    const first = await creator('first-owner@example.com', memberId);
    const second = await signedIn('second-owner@example.com');
    const code = await authCode(memberId);
    for (const path of ['/claims/preview', '/claims'])
      expect(await second.post(path, { authCode: code })).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('another sign-in') },
      });
    expect((await second.get('/accounts')).body.rows).toEqual([]);
    expect(await query(sql`select 1 from auth_code where account_id = ${memberId}`)).toHaveLength(1);
    expect((await first.get('/accounts')).body.rows).toMatchObject([{ accountId: memberId }]);
    expect(await invite(memberId, 'third-owner@example.com')).toMatchObject({ status: 409 });
  });

  test('connects one person if two type it at once', async () => {
    const memberId = await makeMember('main', 'TYPED-TWICE');
    const people = [await signedIn('twice-1@example.com'), await signedIn('twice-2@example.com')];
    const code = await authCode(memberId);
    const answers = await Promise.all(people.map((each) => each.post('/claims', { authCode: code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('can be guessed five times a minute by a person, and no one else is affected', async () => {
    const guesser = await signedIn('guesser@example.com');
    const statuses: number[] = [];
    for (let each = 0; each < 6; each += 1)
      statuses.push(
        (await guesser.post(each % 2 === 0 ? '/claims' : '/claims/preview', { authCode: 'AAAA-AAAA' }))
          .status,
      );
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
    const memberId = await makeMember('main', 'NOT-GUESSED');
    const other = await creator('not-guesser@example.com', memberId);
    expect((await other.get('/accounts')).body.rows).toHaveLength(1);
  });

  test('is rejected after 30 minutes', async () => {
    const person = await signedIn('slow@example.com');
    const code = await authCode(await makeMember('main', 'SLOW'));
    nowMs += 30 * 60_000;
    expect(await person.post('/claims', { authCode: code })).toMatchObject({
      status: 400,
      body: { code: 'ExpiredAuthCode' },
    });
    nowMs -= 30 * 60_000;
  });
});

describe('a connected account', () => {
  test('is not claimed by another creator, but by another account of the same person', async () => {
    await portal.generate('main', 'p-connected');
    const [managed] = await query(sql<{ id: string }>`
      select account_id as id from membership where publisher_id = 'aurora' and player_id = 'p-connected'`);
    const person = await creator('claims@example.com', managed?.id ?? '');
    const other = await makeMember('main', 'OTHER-ONE');
    expect(
      await portal.link('main', { playerId: 'p-connected', authCode: await authCode(other) }),
    ).toMatchObject({ status: 400, body: { code: 'PlayerAlreadyLinked' } });
    await creator('another@example.com', other);
    expect(
      await portal.link('main', { playerId: 'p-connected', authCode: await authCode(other) }),
    ).toMatchObject({ status: 400, body: { code: 'PlayerAlreadyLinked' } });

    const mine = await makeMember('main', 'MINE-TOO');
    expect(await person.post('/claims', { authCode: await authCode(mine) })).toMatchObject({ status: 200 });
    expect((await person.get('/accounts')).body.rows).toHaveLength(2);
    await portal.linked('main', mine, 'p-connected');
    expect((await person.get('/accounts')).body.rows).toMatchObject([{ accountId: mine }]);
  });

  test('is disconnected by its publisher, and can be connected again', async () => {
    const memberId = await makeMember('main', 'WRONG-ADDRESS');
    await invite(memberId, 'wrong@example.com');
    const wrong = browser();
    await wrong.post('/auth/invitation/accept', { token: (await nextMail()).token, as: 'invited' });
    expect(await wrong.get('/codes?publisher=aurora')).toMatchObject({ status: 200 });
    const rival = await signIn(service(), 'owner', { publisherId: 'rival' });
    expect(await rival.ask('DELETE', `/members/${memberId}/portal`)).toMatchObject({ status: 404 });
    expect(await rival.ask('GET', `/members/${memberId}/portal`)).toMatchObject({ status: 404 });
    expect(await (await owner()).ask('DELETE', `/members/${memberId}/portal`)).toMatchObject({ status: 200 });
    expect(await wrong.get('/codes?publisher=aurora')).toMatchObject({ status: 404 });
    expect(await wrong.get('/accounts')).toMatchObject({ status: 200, body: { rows: [] } });
    const right = await creator('right@example.com', memberId);
    expect(await right.get('/codes?publisher=aurora')).toMatchObject({ status: 200 });
    expect((await entriesOf(memberId)).map(({ action }) => action)).toEqual([
      'portal.invite',
      'portal.connect',
      'portal.disconnect',
      'portal.connect',
    ]);
  });

  test('shows its codes in each group, and why a code isn’t credited', async () => {
    const alice = await creator('alice@example.com', 'acc_alice');
    const { groups } = (await alice.get('/codes?publisher=aurora')).body;
    expect(groups).toMatchObject([
      {
        accountId: 'acc_alice',
        groupId: 'main',
        groupName: 'Aurora Creators',
        status: 'Approved',
        codes: [
          { code: 'ALICE', scope: 'global', isPrimary: true, refusedFor: null },
          { code: 'AL-1', scope: 'group', isPrimary: false, refusedFor: null },
          { code: 'OLD', scope: 'global', refusedFor: 'code' },
        ],
      },
      { groupId: 'moba', codes: expect.arrayContaining([expect.objectContaining({ code: 'MOBA-AL' })]) },
    ]);
  });

  test('gets the publisher’s link for each code that is credited', async () => {
    const alice = await creator('alice@example.com', 'acc_alice');
    const links = async () =>
      (await alice.get('/codes?publisher=aurora')).body.groups[0].codes.map(
        ({ link }: { link: unknown }) => link,
      );
    expect(await links()).toEqual([null, null, null]);
    await service().provision(
      'publisher: { id: aurora, codeLink: "https://shop.example/{code}?via=creator" }',
    );
    expect(await links()).toEqual([
      'https://shop.example/ALICE?via=creator',
      'https://shop.example/AL-1?via=creator',
      null,
    ]);
    await service().provision('publisher: { id: aurora, codeLink: null }');
    expect(await links()).toEqual([null, null, null]);
  });
});

describe('killed before any of its statements', () => {
  let crashing: CrashingDatabase;
  beforeAll(() => {
    crashing = openCrashingDatabase(service().testDatabase.connection);
  });
  afterAll(() => crashing.close());

  /** Everything that the operations write, except times. */
  const saved = () =>
    query(sql`
      select (select count(*) from portal_user) as users, (select count(*) from portal_session) as sessions,
             (select count(*) from portal_user_account) as accounts, (select count(*) from auth_code) as codes,
             (select count(accepted_at) from portal_invitation) as accepted, (select count(*) from audit_entry) as audited`);

  async function killEverywhere(
    work: (at: ReturnType<CrashingDatabase['db']>) => Promise<unknown>,
  ): Promise<void> {
    const before = await saved();
    for (let statement = 1; ; statement += 1) {
      const outcome = await work(crashing.db({ beforeStatement: statement })).then(
        () => 'done',
        (error: unknown) => String(error),
      );
      if (outcome === 'done') {
        expect(statement).toBeGreaterThan(5);
        expect(await saved()).not.toEqual(before);
        return;
      }
      expect(outcome).toMatch(crashMessage);
      expect([statement, await saved()]).toEqual([statement, before]);
    }
  }

  test('an accepted invitation changes nothing and can be repeated', async () => {
    const accountId = toAccountId(await makeMember('main', 'KILLED-1'));
    const invitation = { publisherId: 'aurora', accountId, email: 'killed-1@example.com' };
    const { token } = await inviteCreator(db(), testActor, invitation, clock.now());
    const from = { address: '10.9.9.9', userAgent: '', tokens: [] };
    await killEverywhere((at) => acceptAndSignIn(at, { token, source: {}, now: clock.now() }, from));
  });

  test('a typed auth code changes nothing and can be repeated', async () => {
    await signedIn('killed-2@example.com');
    const [user] = await query(sql<{ id: string }>`
      select user_id as id from portal_user where email = 'killed-2@example.com'`);
    const code = await authCode(await makeMember('main', 'KILLED-2'));
    const secret = await authCodeSecret(db(), testSealer);
    const typed = {
      userId: user?.id ?? '',
      authCode: code,
      authCodeSecret: secret,
      source: {},
      now: clock.now(),
    };
    await killEverywhere((at) => claimWithCode(at, typed));
  });
});

test('an auth code that a creator issues links a player to the creator’s own account, once', async () => {
  await portal.makeGroup('issuing');
  const person = await creator('issuing@example.com', 'acc_issuing_A');
  const first = await person.post('/auth-codes?publisher=aurora');
  expect(first).toMatchObject({
    status: 200,
    body: {
      accountName: 'A',
      authCode: expect.stringMatching(/^.{4}-.{4}$/),
      expiresAt: expect.stringMatching(/Z$/),
    },
  });
  expect(first.headers.get('cache-control')).toBe('no-store');
  const { authCode } = (await person.post('/auth-codes?publisher=aurora')).body;
  await portal.makeEmptyGroup('issued');
  await portal.generate('issued', 'p-issued');
  const link = (code: string) => portal.link('issued', { playerId: 'p-issued', authCode: code });
  expect(await link(first.body.authCode)).toMatchObject({ status: 400, body: { code: 'InvalidAuthCode' } });
  expect(await link(authCode)).toMatchObject({ status: 200, body: { id: 'acc_issuing_A' } });
  expect(await link(authCode)).toMatchObject({ status: 400 });
  expect(await person.post('/auth-codes?publisher=rival')).toMatchObject({ status: 404 });
  expect(await portal.browser().post('/auth-codes?publisher=aurora')).toMatchObject({ status: 401 });
});

test('accounts are listed with the publisher’s logo and color', async () => {
  await portal.makeGroup('branded');
  const person = await creator('branded@example.com', 'acc_branded_A');
  const publisher = async () => (await person.get('/accounts')).body.rows[0].publishers[0];
  expect(await publisher()).toMatchObject({ publisherId: 'aurora', logoPath: null, accent: null });
  const staff = await portal.owner();
  const path = '/admin/v1/publishers/aurora/branding';
  const { version } = (await staff.ask('GET', path)).body;
  const logo = png(64, 32).toString('base64');
  expect(await staff.ask('PUT', path, { version, accent: '#7a1fa2', logo })).toMatchObject({ status: 200 });
  const { logoPath, accent } = await publisher();
  expect(accent).toMatchObject({ light: { fill: '#7a1fa2', ink: '#ffffff' }, dark: { ink: '#0f1419' } });
  expect((await fetch(service().url + logoPath)).headers.get('content-type')).toBe('image/png');
});
