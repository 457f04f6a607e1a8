import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { type ProviderId, startCreatorProviders, visitProvider } from '../../test/creator-providers.ts';
import { portalOrigin, usePortal } from '../../test/portal.ts';
import { pageAfter, providerVisits } from '../../test/provider-visits.ts';

const providers = await startCreatorProviders(portalOrigin);
afterAll(() => providers.close());
const { there, environment, providerUrls } = providers;
const log: string[] = [];
const portal = await usePortal({ environment, providerUrls, log });
const { service, creator, signedIn, query, makeMember, nextMail } = portal;
const { finish, begin, signInAt, beginAdding, add, emailOf, methodsOf } = providerVisits(portal, there);

const everyProvider = ['twitch', 'discord', 'youtube', 'aurora', 'studio'] as const;

let people = 0;
/** Returns an address that no other test uses. */
const newEmail = (): string => {
  people += 1;
  return `person-${people}@example.com`;
};

beforeEach(() => {
  for (const each of Object.values(there)) {
    each.denies = false;
    each.fault = 'none';
  }
});

describe.each(everyProvider)('%s', (provider) => {
  test('signs in as the person who added the account, and as no one else', async () => {
    const email = newEmail();
    const memberId = await makeMember('moba', `M${provider}`);
    const browser = await creator(email, memberId);
    await add(browser, provider, `${provider}-1`);
    expect(await methodsOf(browser)).toMatchObject([{ kind: provider, name: 'Nova', lastUsedAt: null }]);

    const elsewhere = portal.browser();
    there[provider].account = { id: `${provider}-1`, name: 'Renamed' };
    expect(await signInAt(elsewhere, provider)).toBe('');
    expect(await emailOf(elsewhere)).toBe(email);
    expect((await elsewhere.get('/accounts')).body.rows).toMatchObject([{ accountId: memberId }]);
    expect(await methodsOf(elsewhere)).toMatchObject([{ name: 'Renamed', lastUsedAt: expect.any(String) }]);

    // An account with the same name and address, but another id, is another account.
    const unknown = portal.browser();
    there[provider].account = { id: `${provider}-2`, name: 'Renamed', email };
    expect(await signInAt(unknown, provider)).toBe(`/enter?problem=unknown&provider=${provider}`);
    expect(await emailOf(unknown)).toBe(401);
  });

  test('rejects a refusal, a changed answer, and a second use', async () => {
    const browser = await signedIn(newEmail());
    there[provider].account = { id: `${provider}-3`, name: 'Nova' };
    const failed = (problem: string): string => `/sign-in?problem=${problem}&provider=${provider}`;

    there[provider].denies = true;
    expect(await finish(browser, await beginAdding(browser, provider))).toBe(failed('denied'));
    there[provider].denies = false;
    // A code that the provider didn't issue for this visit.
    expect(
      await finish(browser, await beginAdding(browser, provider), (back) =>
        back.searchParams.set('code', 'x'.repeat(43)),
      ),
    ).toBe(failed('failed'));
    // A state that no visit has.
    expect(
      await finish(browser, await beginAdding(browser, provider), (back) =>
        back.searchParams.set('state', 'x'.repeat(40)),
      ),
    ).toBe(failed('expired'));
    // A verifier that doesn't match.
    const changed = new URL(await beginAdding(browser, provider));
    changed.searchParams.set('code_challenge', 'x'.repeat(43));
    expect(await finish(browser, changed.href)).toBe(failed('failed'));
    expect(await methodsOf(browser)).toEqual([]);

    const back = await visitProvider(await beginAdding(browser, provider), portalOrigin);
    expect(pageAfter(await browser.go(back.pathname + back.search))).toBe(`/sign-in?added=${provider}`);
    await nextMail();
    expect(pageAfter(await browser.go(back.pathname + back.search))).toBe(failed('expired'));
    // The code of a finished visit, in a new one.
    const code = back.searchParams.get('code') ?? '';
    expect(
      await finish(browser, await begin(browser, provider), (again) => again.searchParams.set('code', code)),
    ).toBe(failed('failed'));
  });

  test('says so if the provider fails, or responds without end', async () => {
    const browser = portal.browser();
    there[provider].account = { id: `${provider}-4`, name: 'Nova' };
    for (const fault of ['failing', 'endless'] as const) {
      const back = await visitProvider(await begin(browser, provider), portalOrigin);
      there[provider].fault = fault;
      expect(pageAfter(await browser.go(back.pathname + back.search))).toBe(
        `/enter?problem=unavailable&provider=${provider}`,
      );
      there[provider].fault = 'none';
    }
  });
});

test('a provider that never responds is given up', { timeout: 60_000 }, async () => {
  const browser = portal.browser();
  const back = await visitProvider(await begin(browser, 'discord'), portalOrigin);
  there.discord.fault = 'silent';
  expect(pageAfter(await browser.go(back.pathname + back.search))).toBe(
    '/enter?problem=unavailable&provider=discord',
  );
});

test('an ID token of another visit is rejected', async () => {
  for (const provider of ['twitch', 'youtube', 'aurora'] as const) {
    const browser = portal.browser();
    const url = new URL(await begin(browser, provider));
    expect(url.searchParams.get('nonce')).toHaveLength(43);
    url.searchParams.set('nonce', 'x'.repeat(43));
    expect(await finish(browser, url.href)).toBe(`/enter?problem=failed&provider=${provider}`);
  }
});

test('only the browser that began a visit can finish it', async () => {
  const [email, thief] = [newEmail(), portal.browser()];
  const browser = await signedIn(email);
  await add(browser, 'twitch', 'twitch-browser');
  const back = await visitProvider(await begin(browser, 'twitch'), portalOrigin);
  // Neither a browser that has begun nothing, nor one that has begun another visit.
  expect(pageAfter(await thief.go(back.pathname + back.search))).toBe(
    '/enter?problem=expired&provider=twitch',
  );
  await begin(thief, 'twitch');
  expect(pageAfter(await thief.go(back.pathname + back.search))).toBe(
    '/enter?problem=expired&provider=twitch',
  );
  expect(await emailOf(thief)).toBe(401);
  // A visit of one provider can't be finished at another's callback.
  const moved = back.pathname.replace('/twitch/', '/aurora/') + back.search;
  expect(pageAfter(await browser.go(moved))).toBe('/sign-in?problem=expired&provider=aurora');
  expect(pageAfter(await browser.go(back.pathname + back.search))).toBe('');
});

test('the person whose session began a visit gets the account, even if another signs in meanwhile', async () => {
  const browser = await signedIn(newEmail());
  there.aurora.account = { id: 'aurora-meanwhile', name: 'Nova' };
  const back = await visitProvider(await beginAdding(browser, 'aurora'), portalOrigin);
  const other = newEmail();
  await browser.post('/auth/codes', { email: other });
  await browser.post('/auth/codes/enter', { code: (await nextMail()).code });
  expect(await emailOf(browser)).toBe(other);
  expect(pageAfter(await browser.go(back.pathname + back.search))).toMatch(
    /\?problem=expired&provider=aurora$/,
  );
  expect(await query(sql`select 1 from portal_provider_account where subject = 'aurora-meanwhile'`)).toEqual(
    [],
  );
});

test('a visit that one person began adds nothing to another person, whose session the browser sends', async () => {
  const [one, two] = [await signedIn(newEmail()), await signedIn(newEmail())];
  there.aurora.account = { id: 'aurora-mixed', name: 'Nova' };
  const back = await visitProvider(await beginAdding(one, 'aurora'), portalOrigin);
  const cookieOf = (browser: Browser, name: string): string =>
    browser.cookies.split('; ').find((each) => each.startsWith(`${name}=`)) ?? '';
  const cookie = `${cookieOf(one, 'attribution-creators-browser')}; ${cookieOf(two, 'attribution-creators')}`;
  const answer = await fetch(service().url + back.pathname + back.search, {
    redirect: 'manual',
    headers: { cookie },
  });
  expect(pageAfter(answer.headers.get('location'))).toBe('/sign-in?problem=expired&provider=aurora');
  expect([await methodsOf(one), await methodsOf(two)]).toEqual([[], []]);
});

test('an account belongs to one person, also if two add it at once', async () => {
  const [one, two] = [await signedIn(newEmail()), await signedIn(newEmail())];
  await add(one, 'twitch', 'twitch-shared');
  expect(await finish(two, await beginAdding(two, 'twitch'))).toBe('/sign-in?problem=taken&provider=twitch');
  expect(await finish(one, await beginAdding(one, 'twitch'))).toBe('/sign-in?kept=twitch');
  expect([await methodsOf(one), await methodsOf(two)]).toMatchObject([[{ kind: 'twitch' }], []]);

  there.twitch.account = { id: 'twitch-raced', name: 'Nova' };
  const backs = [];
  for (const browser of [one, two])
    backs.push([browser, await visitProvider(await beginAdding(browser, 'twitch'), portalOrigin)] as const);
  const outcomes = await Promise.all(
    backs.map(async ([browser, back]) => pageAfter(await browser.go(back.pathname + back.search))),
  );
  expect(outcomes.toSorted()).toEqual(['/sign-in?added=twitch', '/sign-in?problem=taken&provider=twitch']);
  await nextMail();
});

test('a code is needed for each change, only for that change, and only in its session', async () => {
  const email = newEmail();
  const browser = await signedIn(email);
  const visit = (provider: ProviderId, code: string, from = browser) =>
    from.post('/sign-in-methods/provider-visits', { provider, code });
  expect(await visit('twitch', 'AAAA-AAAA')).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('The code is wrong') },
  });
  expect(await browser.post('/sign-in-methods/codes', { kind: 'twitch' })).toMatchObject({
    status: 200,
    body: { email },
  });
  const mail = await nextMail();
  expect(mail).toMatchObject({ to: email, text: expect.stringContaining('add an account at Twitch') });
  expect(await visit('aurora', mail.code)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('sent for another change') },
  });
  const elsewhere = await signedIn(email);
  expect(await visit('twitch', mail.code, elsewhere)).toMatchObject({ status: 400 });
  there.twitch.account = { id: 'twitch-code', name: 'Nova' };
  const url = (await visit('twitch', mail.code)).body.url;
  expect(await visit('twitch', mail.code)).toMatchObject({ status: 400 });
  expect(await finish(browser, url)).toBe('/sign-in?added=twitch');
  await nextMail();

  const [{ signInMethodId }] = await methodsOf(browser);
  const removal = (code: string) => browser.post(`/sign-in-methods/${signInMethodId}/remove`, { code });
  expect(await removal(mail.code)).toMatchObject({ status: 400 });
  expect(await browser.post(`/sign-in-methods/${signInMethodId}/codes`, {})).toMatchObject({ status: 200 });
  const { code, text } = await nextMail();
  expect(text).toContain('remove the account Nova at Twitch');
  expect(await removal(code)).toMatchObject({ status: 200 });
  expect((await nextMail()).text).toContain('can no longer sign in with the account Nova at Twitch');
  expect(await removal(code)).toMatchObject({ status: 404 });
  expect(await methodsOf(browser)).toEqual([]);
});

test('removing an account ends the sessions that it started, and no others', async () => {
  const email = newEmail();
  const browser = await signedIn(email);
  await add(browser, 'discord', 'discord-removed');
  const stolen = portal.browser();
  expect(await signInAt(stolen, 'discord')).toBe('');
  const phone = await signedIn(email);
  const [{ signInMethodId }] = await methodsOf(browser);
  await browser.post(`/sign-in-methods/${signInMethodId}/codes`, {});
  const { code } = await nextMail();
  await browser.post(`/sign-in-methods/${signInMethodId}/remove`, { code });
  await nextMail();
  expect([await emailOf(stolen), await emailOf(browser), await emailOf(phone)]).toEqual([401, email, email]);
  expect(await signInAt(stolen, 'discord')).toBe('/enter?problem=unknown&provider=discord');
});

test('a session of a provider changes no payout method and no sign-in method without the emailed code', async () => {
  const email = newEmail();
  const memberId = await makeMember('moba', 'MONEY');
  await add(await creator(email, memberId), 'twitch', 'twitch-stolen');
  const thief = portal.browser();
  expect(await signInAt(thief, 'twitch')).toBe('');
  const method = {
    kind: 'paypal',
    holderName: 'The Thief',
    holderType: 'individual',
    country: 'DE',
    email: 'thief@example.com',
  };
  expect(await thief.post('/payout-methods/codes?publisher=aurora', method)).toMatchObject({
    status: 200,
    body: { email },
  });
  expect((await nextMail()).to).toBe(email);
  for (const code of ['AAAA-AAAA', 'BBBB-2222'])
    expect(await thief.post('/payout-methods?publisher=aurora', { ...method, code })).toMatchObject({
      status: 400,
    });
  expect(
    await thief.post('/sign-in-methods/provider-visits', { provider: 'aurora', code: 'AAAA-AAAA' }),
  ).toMatchObject({ status: 400 });
  expect((await thief.get('/payout-methods?publisher=aurora')).body.methods).toEqual([]);
});

test('a person with accounts at two publishers adds a provider once, and each publisher’s audit log shows it', async () => {
  const browser = await creator(newEmail(), await makeMember('moba', 'TWICE'));
  const outsider = await portal.makeOutsider('TWICE-B');
  await browser.post('/claims', { authCode: await portal.authCode(outsider) });
  await add(browser, 'aurora', 'aurora-twice');
  const elsewhere = portal.browser();
  expect(await signInAt(elsewhere, 'aurora')).toBe('');
  const publishers = (await elsewhere.get('/accounts')).body.rows.flatMap(
    (row: { publishers: { publisherId: string }[] }) => row.publishers.map((each) => each.publisherId),
  );
  expect(publishers.toSorted()).toEqual(['aurora', 'rival']);
  const entries = await query(sql`
    select publisher_id, actor_kind, after
    from audit_entry
    where action = 'portal.add-sign-in' and after = '{"kind": "aurora"}' and actor_name in ('TWICE', 'TWICE-B')
    order by publisher_id`);
  expect(entries).toEqual([
    { publisher_id: 'aurora', actor_kind: 'creator', after: { kind: 'aurora' } },
    { publisher_id: 'rival', actor_kind: 'creator', after: { kind: 'aurora' } },
  ]);
});

test('a YouTube channel is recognized by its id, and a Google account without a channel is refused', async () => {
  const browser = await signedIn(newEmail());
  there.youtube.account = { id: null, name: '' };
  expect(await finish(browser, await beginAdding(browser, 'youtube'))).toBe(
    '/sign-in?problem=no-channel&provider=youtube',
  );
  await add(browser, 'youtube', 'UC-one', 'Nova plays');
  expect(
    await query(sql`select issuer, subject from portal_provider_account where subject = 'UC-one'`),
  ).toEqual([{ issuer: 'https://www.youtube.com', subject: 'UC-one' }]);
});

test('asks for the least, with the exact redirect URI, and keeps no token', async () => {
  for (const [provider, scope] of [
    ['twitch', 'openid'],
    ['discord', 'identify'],
    ['youtube', 'openid https://www.googleapis.com/auth/youtube.readonly'],
    ['aurora', 'openid profile'],
    ['studio', 'openid names'],
  ] as const) {
    const url = new URL(await begin(portal.browser(), provider));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      scope,
      response_type: 'code',
      redirect_uri: `${portalOrigin}/portal/v1/auth/providers/${provider}/callback`,
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^\w{40}$/),
    });
    url.searchParams.set('redirect_uri', `${portalOrigin}/portal/v1/auth/providers/${provider}/callback/x`);
    await expect(visitProvider(url.href, portalOrigin)).rejects.toThrow(/redirect/);
  }
  const columns = await query(sql<{ column_name: string }>`
    select column_name from information_schema.columns
    where table_name in ('portal_provider_account', 'portal_attempt') and column_name like '%token%'`);
  expect(columns).toEqual([]);
});

test('an unknown, missing or unavailable provider gets a clear answer', async () => {
  const browser = portal.browser();
  expect((await browser.get('/auth/providers')).body.rows).toEqual([
    { provider: 'twitch', name: 'Twitch' },
    { provider: 'youtube', name: 'YouTube' },
    { provider: 'discord', name: 'Discord' },
    { provider: 'aurora', name: 'Aurora account' },
    { provider: 'studio', name: 'Studio account' },
  ]);
  expect(await browser.post('/auth/provider-visits', { provider: 'x' })).toMatchObject({ status: 400 });
  expect(await browser.post('/auth/provider-visits', {})).toMatchObject({ status: 400 });
  const go = async (path: string): Promise<string> =>
    pageAfter(await browser.go(`/portal/v1/auth/providers${path}`));
  expect(await go('/x/callback?state=x&code=x')).toBe('/enter?problem=expired');
  expect(await go('/twitch/callback')).toBe('/enter?problem=expired&provider=twitch');
  expect(await go('/twitch/callback?state=&code=')).toBe('/enter?problem=expired&provider=twitch');
  expect(await browser.go('/portal/v1/auth/providers/twitch/callback?state=%00')).toBe(null);
  const bare = await service().call('POST', '/portal/v1/auth/provider-visits', {
    key: null,
    json: { provider: 'twitch' },
    headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  });
  expect(bare.status).toBe(403);
});

test('no log line contains a secret, a code or a token', () => {
  const text = log.join('\n');
  expect(text).toContain("a creator's visit to a provider failed");
  expect(text).not.toContain(environment.PORTAL_TWITCH_CLIENT_SECRET ?? '');
  expect(text).not.toMatch(/[?&](code|state)=|id_token|access_token|eyJ/);
});
