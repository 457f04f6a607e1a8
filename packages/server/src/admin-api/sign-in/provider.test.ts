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
import { waysOf } from '../../accounts/people/ways-of.ts';

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

/** Goes to the provider as a browser does, and comes back. */
async function signInThere(browser: Browser, person: ProviderPerson, tamper = (url: URL): void => void url) {
  provider.person = person;
  const begun = await browser.post('/auth/sign-in/provider', {
    provider: 'oidc',
    next: '/p/aurora/overview',
  });
  expect(begun).toMatchObject({ status: 200 });
  const there = await fetch(begun.body.url, { redirect: 'manual' });
  const back = new URL(there.headers.get('location') ?? '');
  expect(back.origin).toBe(service.url);
  tamper(back);
  return browser.go(back.pathname + back.search);
}

test('who was invited signs in at the provider, and accepts with that', async () => {
  expect((await new Browser(service).get('/auth/ways')).body.providers).toEqual([
    { id: 'oidc', name: 'Aurora accounts' },
  ]);
  const { token } = await invited('olga@example.com');
  const browser = new Browser(service);
  const person = { sub: 'olga-1', email: 'Olga@example.com', email_verified: true, name: 'Olga' };
  expect(await signInThere(browser, person)).toBe(`${service.url}/p/aurora/overview`);
  expect((await browser.get('/me')).body).toMatchObject({
    email: 'olga@example.com',
    hasSecondFactor: false,
    ways: { password: false, providers: ['oidc'] },
    publishers: [],
  });
  expect(await browser.post('/auth/invitation/accept', { token })).toMatchObject({ status: 200 });
  expect((await browser.get('/me')).body.publishers).toMatchObject([{ publisherId: 'aurora' }]);
  // The provider's name for somebody counts from then on, not their address.
  const again = new Browser(service);
  await signInThere(again, { ...person, email: 'renamed@example.com' });
  expect((await again.get('/me')).body.email).toBe('olga@example.com');
  const kept = await service.testDatabase.database.db
    .selectFrom('staff_account')
    .select(['access_token', 'refresh_token', 'id_token'])
    .where('provider_id', '=', 'oidc')
    .execute();
  expect(kept).toEqual([{ access_token: null, refresh_token: null, id_token: null }]);
});

test.each<[string, ProviderPerson, (url: URL) => void, boolean]>([
  [
    'nobody invited',
    { sub: 'x-1', email: 'stranger@example.com', email_verified: true },
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
    'a token that somebody else signed',
    { sub: 'x-3', email: 'unsure@example.com', email_verified: true },
    () => undefined,
    true,
  ],
  [
    'a way back that somebody else began',
    { sub: 'x-4', email: 'unsure@example.com', email_verified: true },
    (url) => url.searchParams.set('state', 'x'.repeat(32)),
    false,
  ],
])('lets nobody in: %s', async (_, person, tamper, forges) => {
  await invited('unsure@example.com');
  provider.forges = forges;
  const browser = new Browser(service);
  const place = await signInThere(browser, person, tamper).finally(() => {
    provider.forges = false;
  });
  expect(place).toMatch(/\/sign-in\?error=/);
  expect(await browser.get('/me')).toMatchObject({ status: 401 });
});

describe('an address of which another publisher got the link that was printed', () => {
  const db = () => service.testDatabase.database.db;
  const password = 'correct horse battery';
  const byLink = async (publisherId: string, email: string): Promise<string> =>
    (await invite(db(), testActor, { publisherId, email, role: 'viewer' }, new Date())).token;
  const accept = async (token: string) => {
    const browser = new Browser(service);
    return {
      browser,
      answer: await browser.post('/auth/invitation/accept-as-new', { token, name: 'M', password }),
    };
  };
  const userOf = (email: string) =>
    db().selectFrom('staff_user').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
  /** What an intruder leaves behind to come back. */
  const leave = async (email: string) => {
    const { id } = await userOf(email);
    await sql`
      insert into staff_passkey (id, user_id, name, public_key, credential_id, counter, device_type, backed_up)
      values (${id}, ${id}, 'theirs', 'x', ${id}, 0, 'singleDevice', false)`.execute(db());
  };
  const signsIn = async (email: string, tried = password) =>
    (await new Browser(service).post('/auth/sign-in/password', { email, password: tried })).status === 200;

  test('the link opens no account that somebody has, and changes nothing of it', async () => {
    const email = 'ana@example.com';
    expect((await accept(await byLink('aurora', email))).answer.status).toBe(200);
    const before = await userOf(email);
    const { answer, browser } = await accept(await byLink('rival', email));
    expect(answer).toMatchObject({ status: 409, body: { code: 'Conflict' } });
    expect(await browser.get('/me')).toMatchObject({ status: 401 });
    expect(await userOf(email)).toEqual(before);
  });

  test('who claimed it first is out when its owner comes by the provider, and gets nowhere with them', async () => {
    const email = 'vic@example.com';
    const intruder = await accept(await byLink('rival', email));
    expect(intruder.answer.status).toBe(200);
    await leave(email);
    const token = await byLink('aurora', email);
    expect((await accept(token)).answer.status).toBe(409);
    const owner = new Browser(service);
    await signInThere(owner, { sub: 'vic-1', email, email_verified: true });
    expect(await owner.post('/auth/invitation/accept', { token })).toMatchObject({ status: 200 });
    expect((await owner.get('/me')).body).toMatchObject({
      email,
      ways: { password: false, passkeys: 0, providers: ['oidc'] },
    });
    expect(await intruder.browser.get('/me')).toMatchObject({ status: 401 });
    expect(await signsIn(email)).toBe(false);
  });

  test('and by a link for a new password; of an account that was proven nothing is taken away', async () => {
    const email = 'wes@example.com';
    const intruder = await accept(await byLink('rival', email));
    await leave(email);
    const choose = async (chosen: string) => {
      const { token } = await createPasswordLink(db(), null, email, new Date());
      const browser = new Browser(service);
      expect(await browser.post('/auth/password/reset', { token, password: chosen })).toMatchObject({
        status: 200,
      });
    };
    await choose('another good one');
    const { id } = await userOf(email);
    expect((await waysOf(db(), id)).passkeys).toBe(0);
    expect(await intruder.browser.get('/me')).toMatchObject({ status: 401 });
    expect(await signsIn(email)).toBe(false);
    expect(await signsIn(email, 'another good one')).toBe(true);
    await leave(email);
    await choose('yet another one');
    expect((await waysOf(db(), id)).passkeys).toBe(1);
  });
});

test('comes back to the dashboard alone', async () => {
  for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'p/aurora'])
    expect(
      await new Browser(service).post('/auth/sign-in/provider', { provider: 'oidc', next }),
    ).toMatchObject({
      status: 400,
    });
});
