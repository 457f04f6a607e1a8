import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf, termsText, useApplications } from '../../test/applications.ts';
import { purchase } from '../../test/fixtures.ts';
import { type CrashingDatabase, openCrashingDatabase } from '../../test/simulation/crashing-database.ts';
import { crashMessage } from '../../test/simulation/life.ts';
import { apply } from '../portal/applications/apply.ts';

const applications = await useApplications();
const { service, browser, signedIn, creator, owner, query, record, makeMember, openGroup, change } =
  applications;
const { applyTo, applicant, accountOf, stateOf, settings } = applications;

const pageOf = (groupId: string, publisherId = 'aurora') => browser().get(`/apply/${publisherId}/${groupId}`);
const pending = async (groupId: string) =>
  (await (await owner()).ask('GET', `/members?status=Pending&group=${groupId}`)).body.rows;
/** Rows that an application writes, without times. */
const saved = () =>
  query(sql`
    select (select count(*) from creator_account) as accounts, (select count(*) from membership) as memberships,
           (select count(*) from group_code) as codes, (select count(*) from creator_application) as applications,
           (select count(*) from terms_acceptance) as acceptances,
           (select count(*) from portal_user_account) as connections, (select count(*) from audit_entry) as audited`);

describe('the page of a group', () => {
  test('exists only while the group is open, and a closed group looks like one that does not exist', async () => {
    const none = await pageOf('no-such-group');
    expect(none).toMatchObject({ status: 404, body: { code: 'NotFound' } });
    for (const closed of [pageOf('main'), pageOf('main', 'no-such-publisher'), pageOf('hidden', 'rival')])
      expect((await closed).text).toBe(none.text);
    await openGroup('page');
    expect(await pageOf('page')).toMatchObject({
      status: 200,
      body: {
        publisher: { publisherId: 'aurora', name: 'Aurora Games', logoPath: null },
        groupId: 'page',
        groupName: 'The page',
        revShare: 10,
        terms: { version: 1, text: termsText, sha256: hashOf(termsText) },
        isFull: false,
        daysToDecide: 30,
      },
    });
    expect(await pageOf('page', 'rival')).toMatchObject({ status: 404 });
    expect(await change('page', { open: false })).toMatchObject({ status: 200, body: { isOpen: false } });
    expect((await pageOf('page')).text).toBe(none.text);
    const person = await signedIn('closed@example.com');
    const before = await saved();
    expect(await applyTo(person, 'page')).toMatchObject({ status: 404 });
    expect(await person.get('/apply/aurora/page/codes/NIA')).toMatchObject({ status: 404 });
    expect(await saved()).toEqual(before);
  });
});

describe('the settings of a group', () => {
  test('need terms to open, and keep every version of them', async () => {
    await applications.makeEmptyGroup('terms');
    expect((await settings('terms')).body).toMatchObject({
      isOpen: false,
      maxPending: 100,
      reservedCodes: [],
      terms: null,
      undecided: 0,
      url: 'http://localhost:9090/creators/apply/aurora/terms',
    });
    for (const invalid of [{ open: true }, { open: true, terms: '  \r\n ' }, { open: true, terms: '' }])
      expect(await change('terms', invalid)).toMatchObject({ status: 400, body: { code: 'InvalidInput' } });
    for (const invalid of [{ maxPending: 0 }, { reservedCodes: ['x'] }, { open: 'yes' }, { isOpen: true }])
      expect(await change('terms', invalid)).toMatchObject({ status: 400 });
    expect((await settings('terms')).body).toMatchObject({ isOpen: false, terms: null });

    expect(await change('terms', { terms: 'One.\r\n' })).toMatchObject({
      status: 200,
      body: { isOpen: false, terms: { version: 1, text: 'One.', sha256: hashOf('One.') } },
    });
    const { version } = (await settings('terms')).body;
    for (const same of [{ terms: 'One.' }, { open: false }, {}])
      expect(await change('terms', same)).toMatchObject({ status: 200, body: { version } });
    expect(await change('terms', { terms: 'Two.', open: true })).toMatchObject({
      status: 200,
      body: { isOpen: true, terms: { version: 2, text: 'Two.' } },
    });
    const staff = await owner();
    expect(await staff.ask('PUT', '/groups/terms/applications', { version, terms: 'Three.' })).toMatchObject({
      status: 409,
      body: { code: 'Stale' },
    });
    expect((await staff.ask('GET', '/groups/terms/terms')).body.rows).toMatchObject([
      { version: 2, sha256: hashOf('Two.') },
      { version: 1, sha256: hashOf('One.') },
    ]);
    expect(await staff.ask('GET', '/groups/terms/terms/1')).toMatchObject({
      status: 200,
      body: { text: 'One.' },
    });
    for (const wrong of ['/groups/terms/terms/3', '/groups/none/terms/1', '/groups/none/applications'])
      expect(await staff.ask('GET', wrong)).toMatchObject({ status: 404 });
    const rival = await owner('rival');
    expect(await rival.ask('GET', '/groups/terms/applications')).toMatchObject({ status: 404 });
    expect(await rival.ask('PUT', '/groups/terms/applications', { version, open: false })).toMatchObject({
      status: 404,
    });
    expect(
      await query(sql`
        select after -> 'applications' ->> 'terms' as terms from audit_entry
        where target = 'group:terms' and after ? 'applications' order by audit_id`),
    ).toEqual([
      { terms: `version 1, SHA-256 ${hashOf('One.')}` },
      { terms: `version 2, SHA-256 ${hashOf('Two.')}` },
    ]);
  });

  test('can be in a program file, whose errors name the line', async () => {
    const group = (rest: string) =>
      `{ publisher: { id: aurora }, groups: [ { id: filed, revShare: 10, ${rest} } ] }`;
    await expect(service().provision(group('applications: { open: true }'))).rejects.toThrow(/terms/);
    await service().provision(
      group('applications: { open: true, terms: "Be kind.", maxPending: 5, reservedCodes: [ADMIN] }'),
    );
    expect((await settings('filed')).body).toMatchObject({
      isOpen: true,
      maxPending: 5,
      reservedCodes: ['admin'],
      terms: { version: 1, text: 'Be kind.' },
    });
    await service().provision(group('holdDays: 3'));
    expect((await settings('filed')).body).toMatchObject({ isOpen: true, terms: { version: 1 } });
  });
});

describe('an application', () => {
  test('is Pending until the staff approves it, and then its code credits purchases', async () => {
    await openGroup('first');
    const nia = await signedIn('nia@example.com');
    const sold = () => record(purchase({ code: 'Nia-1' }), { query: '?groupId=first' });
    expect(await applyTo(nia, 'first', { name: ' Nia ', code: 'Nia-1' })).toMatchObject({ status: 200 });
    const memberId = await accountOf(nia);
    expect((await nia.get('/accounts')).body.rows).toMatchObject([
      { name: 'Nia', proof: 'application', publishers: [{ publisherId: 'aurora' }] },
    ]);
    expect(await stateOf(nia, 'first')).toMatchObject({
      publisherId: 'aurora',
      publisherName: 'Aurora Games',
      groupName: 'The first',
      state: 'Open',
      code: 'Nia-1',
      termsVersion: 1,
      decidedAt: null,
      reason: null,
      againAt: null,
    });
    expect(await sold()).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('not the code of an approved member') },
    });
    expect(await pending('first')).toMatchObject([
      { memberId, name: 'Nia', codes: ['Nia-1'], application: { code: 'Nia-1' } },
    ]);
    const staff = await owner();
    expect(await staff.ask('GET', `/members/${memberId}/applications`)).toMatchObject({
      status: 200,
      body: {
        email: 'nia@example.com',
        rows: [{ groupId: 'first', state: 'Open', terms: { version: 1, sha256: hashOf(termsText) } }],
      },
    });
    expect(await (await owner('rival')).ask('GET', `/members/${memberId}/applications`)).toMatchObject({
      status: 404,
    });
    expect((await settings('first')).body).toMatchObject({ undecided: 1 });

    expect(await staff.ask('POST', `/members/${memberId}/approve?group=first`)).toMatchObject({
      status: 200,
      body: { status: 'Approved', codes: [{ code: 'Nia-1', isApproved: true, isPrimary: true }] },
    });
    expect(await sold()).toMatchObject({ status: 200 });
    expect(await stateOf(nia, 'first')).toMatchObject({ state: 'Approved', reason: null });
    expect((await settings('first')).body).toMatchObject({ undecided: 0 });
    expect(await applyTo(nia, 'first', { code: 'ANOTHER' })).toMatchObject({ status: 409 });
    expect((await nia.get('/home?publisher=aurora')).status).toBe(200);
    expect(
      await query(
        sql`select action, actor_kind from audit_entry where target = ${`member:${memberId}`} order by audit_id`,
      ),
    ).toEqual([
      { action: 'member.put', actor_kind: 'creator' },
      { action: 'portal.connect', actor_kind: 'creator' },
      { action: 'member.approve', actor_kind: 'staff' },
    ]);
  });

  test('with invalid input changes nothing', async () => {
    await openGroup('invalid', { reservedCodes: ['Staff'] });
    const person = await signedIn('invalid@example.com');
    const before = await saved();
    for (const [body, status, code] of [
      [{ code: 'A' }, 400, 'InvalidInput'],
      [{ code: 'A B' }, 400, 'InvalidInput'],
      [{ code: 'Ä-1' }, 400, 'InvalidInput'],
      [{ code: 'X'.repeat(33) }, 400, 'InvalidInput'],
      [{ code: 7 }, 400, 'InvalidInput'],
      [{ name: '' }, 400, 'InvalidInput'],
      [{ name: '  ' }, 400, 'InvalidInput'],
      [{ name: 'Nia\u202e' }, 400, 'InvalidInput'],
      [{ name: 'x'.repeat(256) }, 400, 'InvalidInput'],
      [{ termsSha256: hashOf('other') }, 409, 'Stale'],
      [{ termsSha256: '' }, 409, 'Stale'],
      [{ code: 'alice' }, 409, 'Conflict'],
      [{ code: 'STAFF' }, 409, 'Conflict'],
      [{ accountId: 'acc_alice' }, 400, 'InvalidInput'],
    ] as const)
      expect([body, await applyTo(person, 'invalid', body)]).toMatchObject([
        body,
        { status, body: { code } },
      ]);
    expect(await applyTo(browser(), 'invalid')).toMatchObject({ status: 401 });
    expect(await saved()).toEqual(before);
    // None of them counted toward the limit of a person.
    expect(await applyTo(person, 'invalid')).toMatchObject({ status: 200 });
  });

  test('that is repeated changes nothing, and a person has only one at a publisher', async () => {
    await openGroup('twice');
    await openGroup('other');
    const person = await applicant('twice@example.com', 'twice', 'TWICE');
    const before = await saved();
    expect(await applyTo(person, 'twice', { code: 'twice' })).toMatchObject({ status: 200 });
    expect(await applyTo(person, 'twice', { code: 'TWICE-2' })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('already applied to The twice') },
    });
    expect(await applyTo(person, 'other', { code: 'TWICE-3' })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('already applied to The twice') },
    });
    expect(await saved()).toEqual(before);
  });

  test('that is sent several times at once is saved once', async () => {
    for (const groupId of ['at-once', 'at-once-2']) await openGroup(groupId);
    const person = await signedIn('at-once@example.com');
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => applyTo(person, 'at-once', { code: 'AT-ONCE' })),
      applyTo(person, 'at-once-2', { code: 'AT-ONCE' }),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200).length).toBeGreaterThan(0);
    for (const { status } of answers) expect([200, 409, 429]).toContain(status);
    const rows = await query(sql`
      select 1 from creator_application a
      join portal_user_account c on true
      join membership m on m.publisher_id = a.publisher_id and m.membership_id = a.membership_id and m.account_id = c.account_id
      join portal_user u on u.user_id = c.user_id and u.email = 'at-once@example.com'`);
    expect(rows).toHaveLength(1);
    expect((await person.get('/accounts')).body.rows).toHaveLength(1);
  });

  test('gets a code that several people want only once', async () => {
    await openGroup('raced');
    const people = [await signedIn('raced-1@example.com'), await signedIn('raced-2@example.com')];
    const answers = await Promise.all(people.map((each) => applyTo(each, 'raced', { code: 'RACED' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await query(sql`select 1 from group_code where group_id = 'raced'`)).toHaveLength(1);
  });

  test('must accept the current terms', async () => {
    await openGroup('changing');
    const person = await signedIn('changing@example.com');
    const { terms } = (await pageOf('changing')).body;
    await change('changing', { terms: 'Be very kind.' });
    const before = await saved();
    expect(await applyTo(person, 'changing', { termsSha256: terms.sha256 })).toMatchObject({
      status: 409,
      body: { code: 'Stale' },
    });
    expect(await saved()).toEqual(before);
    const current = (await pageOf('changing')).body.terms;
    expect(current).toMatchObject({ version: 2, text: 'Be very kind.' });
    expect(
      await applyTo(person, 'changing', { code: 'CHANGING', termsSha256: current.sha256 }),
    ).toMatchObject({
      status: 200,
    });
    await change('changing', { terms: 'Be kind again.' });
    expect(
      await query(sql`select version, sha256 from terms_acceptance where group_id = 'changing'`),
    ).toEqual([{ version: 2, sha256: hashOf('Be very kind.') }]);
    expect(await stateOf(person, 'changing')).toMatchObject({ termsVersion: 2 });
  });

  test('waits while the group has too many', async () => {
    await openGroup('full', { maxPending: 1 });
    const first = await applicant('full-1@example.com', 'full', 'FULL-1');
    expect((await pageOf('full')).body).toMatchObject({ isFull: true });
    const second = await signedIn('full-2@example.com');
    expect(await applyTo(second, 'full', { code: 'FULL-2' })).toMatchObject({ status: 409 });
    await (await owner()).ask('POST', `/members/${await accountOf(first)}/approve?group=full`);
    expect(await applyTo(second, 'full', { code: 'FULL-2' })).toMatchObject({ status: 200 });
  });

  test('is made with the account that the person has at the publisher', async () => {
    await openGroup('existing');
    const person = await creator('existing@example.com', await makeMember('main', 'EXISTING'));
    expect(await applyTo(person, 'existing', { name: 'Someone else', code: 'EXISTING' })).toMatchObject({
      status: 200,
    });
    expect((await person.get('/accounts')).body.rows).toMatchObject([
      { accountId: 'acc_EXISTING', name: 'EXISTING', proof: 'auth-code' },
    ]);
    expect(await pending('existing')).toMatchObject([{ memberId: 'acc_EXISTING', codes: ['EXISTING'] }]);
    // A global code of the person's own needs no approval.
    expect(await query(sql`select 1 from group_code where group_id = 'existing'`)).toEqual([]);
  });

  test('can’t be sent to a sandbox', async () => {
    await openGroup('sandboxed');
    const staff = await owner();
    const copied = await staff.ask('POST', '/sandbox', { replaces: null });
    expect(copied).toMatchObject({ status: 200, body: { isDone: true } });
    const { publisherId } = copied.body.sandbox;
    expect(
      await staff.ask('GET', `/admin/v1/publishers/${publisherId}/groups/sandboxed/applications`),
    ).toMatchObject({ status: 200, body: { isOpen: true, url: null } });
    expect(await pageOf('sandboxed', publisherId)).toMatchObject({ status: 404 });
    expect(await pageOf('sandboxed')).toMatchObject({ status: 200 });
  });

  test('that is killed before any of its statements changes nothing and can be repeated', async () => {
    await openGroup('killed');
    await signedIn('killed@example.com');
    const [user] = await query(sql<{ id: string }>`
      select user_id as id from portal_user where email = 'killed@example.com'`);
    const typed = {
      ...{ userId: user?.id ?? '', publisherId: 'aurora', groupId: 'killed', name: 'Killed', code: 'KILLED' },
      ...{ termsSha256: hashOf(termsText), source: {}, now: new Date() },
    };
    const before = await saved();
    for (let statement = 1; ; statement += 1) {
      const outcome = await apply(crashing.db({ beforeStatement: statement }), typed).then(
        () => 'done',
        (error: unknown) => String(error),
      );
      if (outcome === 'done') {
        expect(statement).toBeGreaterThan(10);
        expect(await saved()).not.toEqual(before);
        return;
      }
      expect(outcome).toMatch(crashMessage);
      expect([statement, await saved()]).toEqual([statement, before]);
    }
  });
});

let crashing: CrashingDatabase;
beforeAll(() => {
  crashing = openCrashingDatabase(service().testDatabase.connection);
});
afterAll(() => crashing?.close());
