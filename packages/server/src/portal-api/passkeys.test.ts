import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { portalOrigin, usePortal } from '../../test/portal.ts';
import { type PasskeyFaults, type SoftPasskey, softPasskey } from '../../test/soft-passkey.ts';

const portal = await usePortal();
const { service, creator, signedIn, query, makeMember, nextMail } = portal;

let people = 0;
const newEmail = (): string => {
  people += 1;
  return `passkey-${people}@example.com`;
};

/** Requests the code and the options for a new passkey. */
async function begin(browser: Browser) {
  expect(await browser.post('/sign-in-methods/codes', { kind: 'passkey' })).toMatchObject({ status: 200 });
  const { code } = await nextMail();
  const begun = await browser.post('/sign-in-methods/passkeys/options', { code });
  expect(begun).toMatchObject({ status: 200 });
  return begun.body;
}

const save = (browser: Browser, response: object, name = 'Phone') =>
  browser.post('/sign-in-methods/passkeys', { name, response });

async function add(browser: Browser): Promise<SoftPasskey> {
  const passkey = softPasskey(portalOrigin);
  expect(await save(browser, passkey.create(await begin(browser)))).toMatchObject({ status: 200 });
  expect((await nextMail()).text).toContain('You can now sign in with the passkey Phone');
  return passkey;
}

const options = async (browser: Browser) => (await browser.post('/auth/passkeys/options', {})).body;
const enter = (browser: Browser, response: object) => browser.post('/auth/passkeys/enter', { response });
const methodsOf = async (browser: Browser) => (await browser.get('/sign-in-methods')).body.rows;

describe('a passkey', () => {
  test('signs in as the person who added it', async () => {
    const email = newEmail();
    const memberId = await makeMember('moba', 'PASSKEY');
    const browser = await creator(email, memberId);
    const passkey = await add(browser);
    expect(await methodsOf(browser)).toMatchObject([{ kind: 'passkey', provider: null, name: 'Phone' }]);
    const phone = portal.browser();
    const asked = await options(phone);
    expect(asked).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(asked.allowCredentials ?? []).toEqual([]);
    expect(await enter(phone, passkey.get(asked))).toMatchObject({ status: 200, body: { email } });
    expect((await phone.get('/accounts')).body.rows).toMatchObject([{ accountId: memberId }]);
    expect(await methodsOf(phone)).toMatchObject([{ lastUsedAt: expect.any(String) }]);
    expect(
      await query(sql`
        select actor_kind, after from audit_entry
        where action = 'portal.add-sign-in' and target = ${`member:${memberId}`}`),
    ).toEqual([{ actor_kind: 'creator', after: { kind: 'passkey' } }]);
  });

  test.each<[string, PasskeyFaults]>([
    ['for another page', { origin: 'https://evil.example' }],
    ['for another host', { host: 'evil.example' }],
    ['of another kind', { type: 'webauthn.create' }],
    ['without verifying its user', { isUserVerified: false }],
    ['with another key', { forges: true }],
    ['with a count that was already used', { signCount: 1 }],
  ])('is not accepted %s', async (_, faults) => {
    const passkey = await add(await signedIn(newEmail()));
    const phone = portal.browser();
    const refused = await enter(phone, passkey.get(await options(phone), faults));
    expect(refused).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining("wasn't accepted") },
    });
    expect(await phone.get('/session')).toMatchObject({ status: 401 });
    expect(await enter(phone, passkey.get(await options(phone)))).toMatchObject({ status: 200 });
  });

  test('answers a challenge once, also if the answer was wrong, and only in the browser that asked', async () => {
    const passkey = await add(await signedIn(newEmail()));
    const [phone, thief] = [portal.browser(), portal.browser()];
    const asked = await options(phone);
    await options(thief);
    expect(await enter(thief, passkey.get(asked))).toMatchObject({ status: 401 });
    expect(await enter(portal.browser(), passkey.get(asked))).toMatchObject({ status: 401 });
    const answer = passkey.get(asked);
    expect(await enter(phone, answer)).toMatchObject({ status: 200 });
    expect(await enter(phone, answer)).toMatchObject({ status: 401 });
    expect(await enter(phone, passkey.get(asked))).toMatchObject({ status: 401 });
    const wrong = await options(phone);
    expect(await enter(phone, passkey.get(wrong, { forges: true }))).toMatchObject({ status: 401 });
    expect(await enter(phone, passkey.get(wrong))).toMatchObject({ status: 401 });
    // The same answer at once signs in once.
    const once = passkey.get(await options(phone));
    const both = await Promise.all([enter(phone, once), enter(phone, once)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  test('that is unknown, or no passkey at all, gets a clear answer', async () => {
    const phone = portal.browser();
    expect(await enter(phone, softPasskey(portalOrigin).get(await options(phone)))).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining('Sign in with an emailed code') },
    });
    for (const response of [{}, { id: 7 }, { id: 'x'.repeat(5_000) }, { id: 'a', response: null }])
      expect(await enter(phone, response)).toMatchObject({ status: 401 });
    expect(await phone.post('/auth/passkeys/enter', { response: 'x' })).toMatchObject({ status: 400 });
    const passkey = await add(await signedIn(newEmail()));
    const { credentialId: id } = passkey;
    for (const response of [{ id }, { id, rawId: id, type: 'public-key', response: {} }, { id, response: 7 }])
      expect(await enter(phone, response)).toMatchObject({ status: 401 });
  });
});

describe('a new passkey', () => {
  test('needs the emailed code, for a passkey, in the session that requested it', async () => {
    const email = newEmail();
    const browser = await signedIn(email);
    const ask = (code: string, from = browser) => from.post('/sign-in-methods/passkeys/options', { code });
    expect(await ask('AAAA-AAAA')).toMatchObject({ status: 400 });
    await browser.post('/sign-in-methods/codes', { kind: 'passkey' });
    const { code, text, to } = await nextMail();
    expect([to, text]).toEqual([email, expect.stringContaining('add a passkey to your sign-in methods')]);
    expect(await ask(code, await signedIn(email))).toMatchObject({ status: 400 });
    const asked = (await ask(code)).body;
    expect(asked).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(await ask(code)).toMatchObject({ status: 400 });
    // Neither the other session nor a challenge of a sign-in can add it.
    const passkey = softPasskey(portalOrigin);
    expect(await save(await signedIn(email), passkey.create(asked))).toMatchObject({ status: 400 });
    expect(await save(browser, passkey.create(await options(browser)))).toMatchObject({ status: 400 });
    expect(await methodsOf(browser)).toEqual([]);
    // A challenge for a new passkey signs no one in.
    const known = await add(browser);
    expect(await enter(browser, known.get(await begin(browser)))).toMatchObject({ status: 401 });
  });

  test.each<[string, PasskeyFaults]>([
    ['for another page', { origin: 'https://evil.example' }],
    ['for another host', { host: 'evil.example' }],
    ['without verifying its user', { isUserVerified: false }],
    ['with a certificate', { format: 'packed' }],
    ['of an unknown format', { format: 'x' }],
  ])('is not accepted %s', async (_, faults) => {
    const browser = await signedIn(newEmail());
    const response = softPasskey(portalOrigin).create(await begin(browser), faults);
    expect(await save(browser, response)).toMatchObject({ status: 400 });
    for (const each of [{}, { response: null }, { response: { attestationObject: 'x' } }])
      expect(await save(browser, each)).toMatchObject({ status: 400 });
    expect(await methodsOf(browser)).toEqual([]);
  });

  test('belongs to one person, and its challenge works once', async () => {
    const [one, two] = [await signedIn(newEmail()), await signedIn(newEmail())];
    const passkey = await add(one);
    expect(await save(two, passkey.create(await begin(two)))).toMatchObject({ status: 409 });
    const asked = await begin(two);
    expect(asked.excludeCredentials).toEqual([]);
    expect(await save(two, softPasskey(portalOrigin).create(asked))).toMatchObject({ status: 200 });
    await nextMail();
    expect(await save(two, softPasskey(portalOrigin).create(asked))).toMatchObject({ status: 400 });
    expect((await begin(one)).excludeCredentials).toMatchObject([{ id: passkey.credentialId }]);
    expect([await methodsOf(one), await methodsOf(two)]).toMatchObject([[{}], [{}]]);
  });

  test('is one of at most 20 sign-in methods', async () => {
    const email = newEmail();
    const browser = await signedIn(email);
    const late = await begin(browser);
    await query(sql`
      insert into portal_passkey (credential_id, sign_in_method_id, user_id, public_key, sign_count, name, added_at)
      select u.user_id || n, u.user_id || n, u.user_id, '\\x00', 0, 'Key ' || n, now()
      from portal_user u, generate_series(1, 20) n
      where u.email = ${email}`);
    expect(await save(browser, softPasskey(portalOrigin).create(late))).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('Remove one first') },
    });
    expect(await browser.post('/sign-in-methods/codes', { kind: 'passkey' })).toMatchObject({ status: 409 });
  });
});

test('all addresses of the person are told of a new passkey', async () => {
  const email = newEmail();
  const browser = await signedIn(email);
  await query(sql`
    insert into portal_email (email, user_id, added_at)
    select 'further@example.com', user_id, now() from portal_user where email = ${email}`);
  const response = softPasskey(portalOrigin).create(await begin(browser));
  expect(await save(browser, response, 'Tablet')).toMatchObject({ status: 200 });
  const told = [await nextMail(), await nextMail()];
  expect(told.map(({ to }) => to).toSorted()).toEqual(['further@example.com', email].toSorted());
  for (const { text } of told) expect(text).toContain('You can now sign in with the passkey Tablet');
});

test('removing a passkey ends the sessions that it started', async () => {
  const email = newEmail();
  const browser = await signedIn(email);
  const passkey = await add(browser);
  const phone = portal.browser();
  await enter(phone, passkey.get(await options(phone)));
  const [{ signInMethodId }] = await methodsOf(browser);
  await browser.post(`/sign-in-methods/${signInMethodId}/codes`, {});
  const { code, text } = await nextMail();
  expect(text).toContain('remove the passkey Phone');
  expect(await browser.post(`/sign-in-methods/${signInMethodId}/remove`, { code })).toMatchObject({
    status: 200,
  });
  await nextMail();
  expect(await phone.get('/session')).toMatchObject({ status: 401 });
  expect(await browser.get('/session')).toMatchObject({ status: 200 });
  expect(await enter(phone, passkey.get(await options(phone)))).toMatchObject({ status: 401 });
});

test('a page of another origin can neither ask nor answer', async () => {
  for (const path of ['/auth/passkeys/options', '/auth/passkeys/enter'])
    expect(
      await service().call('POST', `/portal/v1${path}`, {
        key: null,
        json: {},
        headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      }),
    ).toMatchObject({ status: 403 });
});
