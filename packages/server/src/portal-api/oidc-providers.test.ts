import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { startCreatorProviders, visitProvider } from '../../test/creator-providers.ts';
import { portalOrigin, usePortal } from '../../test/portal.ts';
import { pageAfter, providerVisits } from '../../test/provider-visits.ts';

const providers = await startCreatorProviders(portalOrigin);
afterAll(() => providers.close());
const { there } = providers;
const [aurora, studio] = JSON.parse(providers.environment.PORTAL_OIDC_PROVIDERS ?? '');
/** Its configuration names another issuer than the settings do. */
const renamed = { ...aurora, id: 'renamed', issuer: there.aurora.issuer.replace('127.0.0.1', 'localhost') };
const portal = await usePortal({
  environment: { PORTAL_OIDC_PROVIDERS: JSON.stringify([aurora, studio, renamed]) },
  providerUrls: providers.providerUrls,
});
const { signedIn, query } = portal;
const { finish, begin, signInAt, beginAdding, add, emailOf, methodsOf } = providerVisits(portal, there);

test('the same subject at two issuers is two accounts, of two people', async () => {
  const one = await signedIn('one@example.com');
  await add(one, 'aurora', 'same', 'At Aurora');
  there.studio.account = { id: 'same', name: 'At Studio' };
  const unknown = portal.browser();
  expect(await signInAt(unknown, 'studio')).toBe('/enter?problem=unknown&provider=studio');
  expect(await emailOf(unknown)).toBe(401);

  const two = await signedIn('two@example.com');
  await add(two, 'studio', 'same', 'At Studio');
  const [atAurora, atStudio] = [portal.browser(), portal.browser()];
  expect([await signInAt(atAurora, 'aurora'), await signInAt(atStudio, 'studio')]).toEqual(['', '']);
  expect([await emailOf(atAurora), await emailOf(atStudio)]).toEqual(['one@example.com', 'two@example.com']);
  expect([await methodsOf(one), await methodsOf(two)]).toMatchObject([
    [{ kind: 'aurora', provider: 'Aurora account', name: 'At Aurora' }],
    [{ kind: 'studio', provider: 'Studio account', name: 'At Studio' }],
  ]);
});

test('a visit that was begun at one provider is finished only there', async () => {
  const browser = await signedIn('mixed@example.com');
  await add(browser, 'aurora', 'mixed');
  there.studio.account = { id: 'mixed', name: 'Nova' };
  const atStudio = await visitProvider(await begin(browser, 'studio'), portalOrigin);
  const back = await visitProvider(await begin(browser, 'aurora'), portalOrigin);
  const studioExpired = '/sign-in?problem=expired&provider=studio';
  const moved = back.pathname.replace('/aurora/', '/studio/') + back.search;
  expect(pageAfter(await browser.go(moved))).toBe(studioExpired);
  // A code of the other provider, for the state of this one.
  const code = atStudio.searchParams.get('code') ?? '';
  const mixed = (url: URL): void => url.searchParams.set('code', code);
  expect(await finish(browser, await begin(browser, 'aurora'), mixed)).toBe(
    '/sign-in?problem=failed&provider=aurora',
  );
  // An answer that names the other provider's issuer.
  const foreign = (url: URL): void => url.searchParams.set('iss', there.studio.issuer);
  expect(await finish(browser, await begin(browser, 'aurora'), foreign)).toBe(
    '/sign-in?problem=failed&provider=aurora',
  );
  expect(pageAfter(await browser.go(back.pathname + back.search))).toBe('');
});

test('an emailed code for one provider adds no account at another', async () => {
  const browser = await signedIn('codes@example.com');
  await browser.post('/sign-in-methods/codes', { kind: 'aurora' });
  const mail = await portal.nextMail();
  expect(mail.text).toContain('an account at Aurora account');
  expect(
    await browser.post('/sign-in-methods/provider-visits', { provider: 'studio', code: mail.code }),
  ).toMatchObject({ status: 400, body: { message: expect.stringContaining('sent for another change') } });
});

test('a provider whose configuration names another issuer is not used', async () => {
  const browser = portal.browser();
  expect(await browser.post('/auth/provider-visits', { provider: 'renamed' })).toMatchObject({
    status: 503,
    body: { message: expect.stringContaining('Aurora account is not responding') },
  });
});

test('an unknown provider is rejected', async () => {
  const browser = await signedIn('unknown@example.com');
  for (const kind of ['oidc', 'constructor', 'AURORA', 'x'.repeat(31), ''])
    for (const [path, body] of [
      ['/auth/provider-visits', { provider: kind }],
      ['/sign-in-methods/codes', { kind }],
    ] as const)
      expect(await browser.post(path, body)).toMatchObject({ status: 400 });
  expect(pageAfter(await browser.go('/portal/v1/auth/providers/oidc/callback?state=x&code=x'))).toBe(
    '/sign-in?problem=expired',
  );
});

test('an account keeps working after the provider’s id was changed in the settings', async () => {
  const browser = await signedIn('kept@example.com');
  await add(browser, 'aurora', 'kept');
  await query(sql`update portal_provider_account set provider = 'earlier-id' where subject = 'kept'`);
  expect(await methodsOf(browser)).toMatchObject([{ kind: 'earlier-id', provider: null }]);
  there.aurora.account = { id: 'kept', name: 'Nova' };
  expect(await signInAt(portal.browser(), 'aurora')).toBe('');
  expect(await methodsOf(browser)).toMatchObject([{ kind: 'aurora', provider: 'Aurora account' }]);
  expect(await beginAdding(browser, 'aurora')).toContain(there.aurora.issuer);
});
