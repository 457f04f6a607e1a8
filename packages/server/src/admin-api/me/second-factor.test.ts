import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { Browser } from '../../../test/browser.ts';
import { useManagement } from '../../../test/management.ts';
import { testActor } from '../../../test/test-actor.ts';
import { codeOf } from '../../../test/totp.ts';
import { invite } from '../../accounts/people/invite.ts';

// Each browser has its own address, because together the browsers would exceed the limit for one address.
const { service } = useManagement({ environment: { TRUST_PROXY: '127.0.0.1' } });
let addresses = 0;
const newBrowser = (): Browser => {
  addresses += 1;
  return new Browser(service(), `192.0.2.${addresses}`);
};
const db = () => service().testDatabase.database.db;
const password = 'correct horse battery';

/** Creates a person who accepted an invitation and chose a password. */
async function newPerson(email: string): Promise<Browser> {
  const { token } = await invite(
    db(),
    testActor,
    { publisherId: 'aurora', email, role: 'owner' },
    new Date(),
  );
  const browser = newBrowser();
  await browser.post('/auth/invitation/accept-as-new', { token, name: 'Ines', password });
  return browser;
}

test('a second factor is active after its first code, is required at the next sign-in, and can be removed', async () => {
  const email = 'codes@example.com';
  const browser = await newPerson(email);
  expect(await browser.post('/me/two-factor', { password: 'wrong wrong wrong' })).toMatchObject({
    status: 403,
  });
  const begun = await browser.post('/me/two-factor', { password });
  expect(begun).toMatchObject({ status: 200, body: { uri: expect.stringMatching(/^otpauth:\/\/totp\//) } });
  expect(begun.body.spareCodes).toHaveLength(10);
  expect((await browser.get('/me')).body.ways.codes).toBe(false);
  expect(await browser.post('/me/two-factor/finish', { code: '000000' })).toMatchObject({ status: 403 });
  const usedAtMs = Date.now();
  const used = codeOf(begun.body.uri, usedAtMs);
  expect(await browser.post('/me/two-factor/finish', { code: used })).toMatchObject({ status: 200 });
  expect((await browser.get('/me')).body).toMatchObject({ hasSecondFactor: true, ways: { codes: true } });

  const another = newBrowser();
  const begin = () => another.post('/auth/sign-in/password', { email, password });
  expect(await begin()).toMatchObject({ status: 200, body: { asksForCode: true } });
  expect(await another.get('/me')).toMatchObject({ status: 401 });
  expect(await another.post('/auth/sign-in/code', { code: '000000' })).toMatchObject({ status: 401 });
  expect(await another.get('/me')).toMatchObject({ status: 401 });
  // The code that finished the setup can't be used again, so the sign-in needs the next code.
  expect(await another.post('/auth/sign-in/code', { code: used })).toMatchObject({
    status: 401,
    body: { message: expect.stringContaining('already used') },
  });
  const next = codeOf(begun.body.uri, usedAtMs + 30_000);
  expect(await another.post('/auth/sign-in/code', { code: next })).toMatchObject({ status: 200 });
  expect((await another.get('/me')).body.hasSecondFactor).toBe(true);
  for (const code of [next, codeOf(begun.body.uri)])
    expect(await browser.post('/me/confirm-code', { code })).toMatchObject({ status: 403 });

  // A recovery code works only once.
  const [spare] = begun.body.spareCodes;
  for (const status of [200, 401]) {
    await begin();
    expect(await another.post('/auth/sign-in/code', { code: spare })).toMatchObject({ status });
  }
  expect(await browser.post('/me/two-factor/remove', { password })).toMatchObject({ status: 200 });
  expect(await begin()).toMatchObject({ body: { asksForCode: false } });
  const actions = await db()
    .selectFrom('audit_entry')
    .select('action')
    .where('publisher_id', '=', 'aurora')
    .where('action', 'like', '%two-factor')
    .orderBy('audit_id')
    .execute();
  expect(actions.map(({ action }) => action)).toEqual(['staff.set-up-two-factor', 'staff.remove-two-factor']);
});

/** Creates a person with an authenticator app. Returns the app's URI and the recovery codes. */
async function withCodes(email: string): Promise<{ browser: Browser; uri: string; spareCodes: string[] }> {
  const browser = await newPerson(email);
  const { body } = await browser.post('/me/two-factor', { password });
  expect(await browser.post('/me/two-factor/finish', { code: codeOf(body.uri) })).toMatchObject({
    status: 200,
  });
  return { browser, ...body };
}

test('of two concurrent sign-ins with the same code, from an app or spare, only one succeeds', async () => {
  const email = 'twice@example.com';
  const { uri, spareCodes } = await withCodes(email);
  for (const code of [codeOf(uri, Date.now() + 30_000), spareCodes[0]]) {
    const both = [newBrowser(), newBrowser()];
    for (const each of both) await each.post('/auth/sign-in/password', { email, password });
    const answers = await Promise.all(both.map((each) => each.post('/auth/sign-in/code', { code })));
    expect(
      answers.filter(({ status }) => status === 200),
      code,
    ).toHaveLength(1);
    const sessions = await Promise.all(both.map((each) => each.get('/me')));
    expect(
      sessions.filter(({ status }) => status === 200),
      code,
    ).toHaveLength(1);
  }
});

test('a session without the second factor cannot change how the person signs in', async () => {
  const email = 'one.factor@example.com';
  const { browser } = await withCodes(email);
  const factor = (hasSecondFactor: boolean) =>
    db()
      .updateTable('staff_session')
      .set({ has_second_factor: hasSecondFactor })
      .where('user_id', '=', (user) => user.selectFrom('staff_user').select('id').where('email', '=', email))
      .execute();
  // A sign-in with a provider leaves the session in this state.
  await factor(false);
  for (const [method, path, json] of [
    ['POST', '/me/two-factor', { password }],
    ['POST', '/me/two-factor/remove', { password }],
    ['POST', '/me/passkeys/options'],
    ['POST', '/me/passkeys', { name: 'mine', response: {} }],
    ['DELETE', '/me/passkeys/x'],
  ] as const)
    expect(await browser.send(method, path, json), path).toMatchObject({
      status: 403,
      body: { code: 'Forbidden', message: expect.stringContaining('second factor first') },
    });
  await factor(true);
  expect(await browser.post('/me/two-factor/remove', { password })).toMatchObject({ status: 200 });
});

test('a second factor can only be finished by its own operation', async () => {
  const browser = await newPerson('begun@example.com');
  const { body } = await browser.post('/me/two-factor', { password });
  expect(await browser.post('/me/confirm-code', { code: codeOf(body.uri) })).toMatchObject({ status: 409 });
  expect((await browser.get('/me')).body).toMatchObject({ hasSecondFactor: false, ways: { codes: false } });
});

test('a change that cannot be audited does not happen, and does not end the session', async () => {
  const email = 'unnoted@example.com';
  const browser = await newPerson(email);
  const { body } = await browser.post('/me/two-factor', { password });
  const admin = new pg.Client(service().testDatabase.adminConnection);
  await admin.connect();
  onTestFinished(() => admin.end());
  await admin.query(`create function refuse_entry() returns trigger language plpgsql as $$
    begin raise 'no entry'; end $$`);
  await admin.query(`create trigger refuse_entry before insert on audit_entry for each row
    when (new.action like 'staff.%-two-factor') execute function refuse_entry()`);
  expect(await browser.post('/me/two-factor/finish', { code: codeOf(body.uri) })).toMatchObject({
    status: 500,
  });
  expect((await browser.get('/me')).body).toMatchObject({ hasSecondFactor: false, ways: { codes: false } });
  await admin.query('drop function refuse_entry cascade');
});
