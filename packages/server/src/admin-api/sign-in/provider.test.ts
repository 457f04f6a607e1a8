import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('comes back to the dashboard alone', async () => {
  for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'p/aurora'])
    expect(
      await new Browser(service).post('/auth/sign-in/provider', { provider: 'oidc', next }),
    ).toMatchObject({
      status: 400,
    });
});
