import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser } from '../../../test/browser.ts';
import { provisionFixtures } from '../../../test/fixtures.ts';
import {
  type OidcTestProvider,
  type ProviderPerson,
  startOidcProvider,
} from '../../../test/oidc-provider.ts';
import { testActor } from '../../../test/test-actor.ts';
import { startService, type TestService } from '../../../test/test-service.ts';
import { invite } from '../../accounts/people/invite.ts';
import { createPasswordLink } from '../../accounts/people/password-links.ts';
import { signInMethodsOf } from '../../accounts/people/sign-in-methods-of.ts';

let provider: OidcTestProvider;
let service: TestService;

beforeAll(async () => {
  provider = await startOidcProvider();
  service = await startService({
    environment: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
      OIDC_NAME: 'Aurora accounts',
      TRUST_PROXY: '127.0.0.1',
    },
  });
  await provisionFixtures(service);
});
afterAll(async () => {
  await service.close();
  await provider.close();
});

const invited = (email: string) =>
  invite(
    service.testDatabase.database.db,
    testActor,
    { publisherId: 'aurora', email, role: 'viewer' },
    new Date(),
  );

let addresses = 0;
/** Returns a browser with its own address, because the tests make more attempts than one address is allowed. */
const newBrowser = (): Browser => {
  addresses += 1;
  return new Browser(service, `192.0.2.${addresses}`);
};

/** Signs in with the provider as a browser does. @returns the address that the service redirects to */
async function signInAtProvider(
  browser: Browser,
  person: ProviderPerson,
  tamper = (url: URL): void => void url,
) {
  provider.person = person;
  const begun = await browser.post('/auth/sign-in/provider', {
    provider: 'oidc',
    next: '/p/aurora/overview',
  });
  expect(begun).toMatchObject({ status: 200 });
  const redirect = await fetch(begun.body.url, { redirect: 'manual' });
  const back = new URL(redirect.headers.get('location') ?? '');
  expect(back.origin).toBe(service.url);
  tamper(back);
  return browser.go(back.pathname + back.search);
}

test('an invited person signs in with the provider and accepts the invitation', async () => {
  expect((await newBrowser().get('/auth/ways')).body.providers).toEqual([
    { id: 'oidc', name: 'Aurora accounts' },
  ]);
  const { token } = await invited('olga@example.com');
  const browser = newBrowser();
  const person = { sub: 'olga-1', email: 'Olga@example.com', email_verified: true, name: 'Olga' };
  expect(await signInAtProvider(browser, person)).toBe(`${service.url}/p/aurora/overview`);
  expect((await browser.get('/me')).body).toMatchObject({
    email: 'olga@example.com',
    hasSecondFactor: false,
    ways: { password: false, providers: ['oidc'] },
    publishers: [],
  });
  expect(await browser.post('/auth/invitation/accept', { token })).toMatchObject({ status: 200 });
  expect((await browser.get('/me')).body.publishers).toMatchObject([{ publisherId: 'aurora' }]);
  // From then on, the person is recognized by their id at the provider, not by their address.
  const again = newBrowser();
  await signInAtProvider(again, { ...person, email: 'renamed@example.com' });
  expect((await again.get('/me')).body.email).toBe('olga@example.com');
  const stored = await service.testDatabase.database.db
    .selectFrom('staff_account')
    .select(['access_token', 'refresh_token', 'id_token'])
    .where('provider_id', '=', 'oidc')
    .execute();
  expect(stored).toEqual([{ access_token: null, refresh_token: null, id_token: null }]);
});

test.each<[string, ProviderPerson, (url: URL) => void, boolean]>([
  [
    'a person who was not invited',
    { sub: 'x-1', email: 'uninvited@example.com', email_verified: true },
    () => undefined,
    false,
  ],
  [
    'an address that the provider did not verify',
    { sub: 'x-2', email: 'unsure@example.com' },
    () => undefined,
    false,
  ],
  [
    'a token with a forged signature',
    { sub: 'x-3', email: 'unsure@example.com', email_verified: true },
    () => undefined,
    true,
  ],
  [
    'a callback of another sign-in',
    { sub: 'x-4', email: 'unsure@example.com', email_verified: true },
    (url) => url.searchParams.set('state', 'x'.repeat(32)),
    false,
  ],
])('rejects %s', async (_, person, tamper, forges) => {
  await invited('unsure@example.com');
  provider.forges = forges;
  const browser = newBrowser();
  const location = await signInAtProvider(browser, person, tamper).finally(() => {
    provider.forges = false;
  });
  expect(location).toMatch(/\/sign-in\?error=/);
  expect(await browser.get('/me')).toMatchObject({ status: 401 });
});

const entriesOf = async (email: string) => {
  const { rows } = await sql<{
    action: string;
    after: unknown;
    address: string | null;
    publisher_id: string;
  }>`
    select e.action, e.after, e.address, e.publisher_id
    from audit_entry e
    join staff_user u on e.target = 'staff:' || u.id
    where u.email = ${email} and e.action like 'staff.%-provider'
    order by e.at`.execute(service.testDatabase.database.db);
  return rows;
};

test('rejects a second person at the provider with the same address, and records both attempts', async () => {
  const email = 'shared@example.com';
  await invited(email);
  const first = { sub: 'first', email, email_verified: true };
  const browser = newBrowser();
  expect(await signInAtProvider(browser, first)).toBe(`${service.url}/p/aurora/overview`);
  const linked = {
    action: 'staff.link-provider',
    after: { provider: 'oidc' },
    address: expect.stringMatching(/^192\.0\.2\./),
    publisher_id: 'aurora',
  };
  expect(await entriesOf(email)).toEqual([linked]);
  await signInAtProvider(newBrowser(), first);
  expect(await entriesOf(email)).toHaveLength(1);

  const other = newBrowser();
  const location = await signInAtProvider(other, { ...first, sub: 'second' });
  expect(location).toMatch(/\/sign-in\?error=another_person_at_provider/);
  expect(await other.get('/me')).toMatchObject({ status: 401 });
  expect(await entriesOf(email)).toEqual([linked, { ...linked, action: 'staff.refuse-provider' }]);
  expect((await browser.get('/me')).body.email).toBe(email);
});

test('accepts one of two people who arrive with the same address at once', async () => {
  const email = 'race@example.com';
  await invited(email);
  const begin = async (sub: string) => {
    provider.person = { sub, email, email_verified: true };
    const browser = newBrowser();
    const begun = await browser.post('/auth/sign-in/provider', { provider: 'oidc', next: '/' });
    const redirect = await fetch(begun.body.url, { redirect: 'manual' });
    return { browser, back: new URL(redirect.headers.get('location') ?? '') };
  };
  const sessions = [await begin('one'), await begin('two')];
  // The provider names the person when the code is exchanged. Each exchange names a different person.
  const subs = ['one', 'two'].values();
  Object.defineProperty(provider, 'person', {
    configurable: true,
    get: () => ({ sub: subs.next().value ?? 'none', email, email_verified: true }),
  });
  const locations = await Promise.all(
    sessions.map(({ browser, back }) => browser.go(back.pathname + back.search)),
  );
  Object.defineProperty(provider, 'person', {
    configurable: true,
    writable: true,
    value: { sub: '', email },
  });
  expect(locations.filter((location) => location?.includes('error=another_person_at_provider'))).toHaveLength(
    1,
  );
  const accounts = await service.testDatabase.database.db
    .selectFrom('staff_account')
    .innerJoin('staff_user', 'staff_user.id', 'staff_account.user_id')
    .select('account_id')
    .where('email', '=', email)
    .execute();
  expect(accounts).toHaveLength(1);
});

describe('an address for which another publisher has an invitation link', () => {
  const db = () => service.testDatabase.database.db;
  const password = 'correct horse battery';
  const inviteToken = async (publisherId: string, email: string): Promise<string> =>
    (await invite(db(), testActor, { publisherId, email, role: 'viewer' }, new Date())).token;
  const accept = async (token: string) => {
    const browser = newBrowser();
    return {
      browser,
      answer: await browser.post('/auth/invitation/accept-as-new', { token, name: 'M', password }),
    };
  };
  const userOf = (email: string) =>
    db().selectFrom('staff_user').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
  /** Adds a passkey, as an intruder would to keep access. */
  const addPasskey = async (email: string) => {
    const { id } = await userOf(email);
    await sql`
      insert into staff_passkey (id, user_id, name, public_key, credential_id, counter, device_type, backed_up)
      values (${id}, ${id}, 'theirs', 'x', ${id}, 0, 'singleDevice', false)`.execute(db());
  };
  const signsIn = async (email: string, tried = password) =>
    (await newBrowser().post('/auth/sign-in/password', { email, password: tried })).status === 200;

  test('does not open or change an account that is in use', async () => {
    const email = 'ana@example.com';
    expect((await accept(await inviteToken('aurora', email))).answer.status).toBe(200);
    const before = await userOf(email);
    const { answer, browser } = await accept(await inviteToken('rival', email));
    expect(answer).toMatchObject({ status: 409, body: { code: 'Conflict' } });
    expect(await browser.get('/me')).toMatchObject({ status: 401 });
    expect(await userOf(email)).toEqual(before);
  });

  test('locks out an intruder who took the account first when its owner signs in with the provider', async () => {
    const email = 'vic@example.com';
    const intruder = await accept(await inviteToken('rival', email));
    expect(intruder.answer.status).toBe(200);
    await addPasskey(email);
    const token = await inviteToken('aurora', email);
    expect((await accept(token)).answer.status).toBe(409);
    const owner = newBrowser();
    await signInAtProvider(owner, { sub: 'vic-1', email, email_verified: true });
    expect(await owner.post('/auth/invitation/accept', { token })).toMatchObject({ status: 200 });
    expect((await owner.get('/me')).body).toMatchObject({
      email,
      ways: { password: false, passkeys: 0, providers: ['oidc'] },
    });
    expect(await intruder.browser.get('/me')).toMatchObject({ status: 401 });
    expect(await signsIn(email)).toBe(false);
  });

  test('locks out an intruder when the owner resets the password, and removes nothing from a verified account', async () => {
    const email = 'wes@example.com';
    const intruder = await accept(await inviteToken('rival', email));
    await addPasskey(email);
    const resetPassword = async (chosen: string) => {
      const { token } = await createPasswordLink(db(), null, email, new Date());
      const browser = newBrowser();
      expect(await browser.post('/auth/password/reset', { token, password: chosen })).toMatchObject({
        status: 200,
      });
    };
    await resetPassword('another good one');
    const { id } = await userOf(email);
    expect((await signInMethodsOf(db(), id)).passkeys).toBe(0);
    expect(await intruder.browser.get('/me')).toMatchObject({ status: 401 });
    expect(await signsIn(email)).toBe(false);
    expect(await signsIn(email, 'another good one')).toBe(true);
    await addPasskey(email);
    await resetPassword('yet another one');
    expect((await signInMethodsOf(db(), id)).passkeys).toBe(1);
  });
});

test('rejects redirects to anywhere but the dashboard', async () => {
  for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'p/aurora'])
    expect(await newBrowser().post('/auth/sign-in/provider', { provider: 'oidc', next })).toMatchObject({
      status: 400,
    });
});
