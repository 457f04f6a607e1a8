import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { startCreatorProviders } from '../../test/creator-providers.ts';
import { portalOrigin, usePortal } from '../../test/portal.ts';
import { providerVisits } from '../../test/provider-visits.ts';

const providers = await startCreatorProviders(portalOrigin);
afterAll(() => providers.close());
const { there, environment, providerUrls } = providers;
const portal = await usePortal({ environment, providerUrls });
const { service, sink, creator, signedIn, query, makeGroup, earn, settle, create, nextMail } = portal;
const { signInAt, add, emailOf, methodsOf } = providerVisits(portal, there);

const at = '?publisher=aurora';
const paypal = (email: string) => ({
  ...{ kind: 'paypal', holderName: 'Maria Muster', holderType: 'individual', country: 'DE' },
  email,
});

/** Reads everything that decides who is paid, where to, and who may change it. */
const saved = () =>
  query(sql`
    select (select json_agg(t order by t.method_id) from payee_method t) as methods,
           (select json_agg(t order by t.account_id) from payee_gate t) as gates,
           (select json_agg(t order by t.user_id) from portal_user t) as people,
           (select json_agg(t order by t.account_id) from portal_user_account t) as accounts,
           (select json_agg(t order by t.email) from portal_email t) as emails,
           (select json_agg(t order by t.credential_id) from portal_passkey t) as passkeys,
           (select json_agg(t order by t.user_id) from erasure_request t) as erasures,
           (select json_agg(to_jsonb(t) - array['last_used_at', 'name'] order by t.subject)
            from portal_provider_account t) as provider_accounts`);

/** Returns the changing operations of the portal's API that need a session, so that new ones are tested automatically. */
function changes(): { method: string; path: string; body: string[] }[] {
  interface Described {
    'x-caller': string;
    requestBody?: { content: Record<string, { schema: { $ref?: string; properties?: object } }> };
  }
  const { paths, components } = service().app.portalDocument() as {
    paths: Record<string, Record<string, Described>>;
    components: { schemas: Record<string, { properties?: object }> };
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { 'x-caller': caller, requestBody }]) => {
      if (method === 'get' || (caller !== 'publisher' && caller !== 'signed-in')) return [];
      const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
      const model = components.schemas[schema?.$ref?.split('/').at(-1) ?? ''] ?? schema;
      return [{ method: method.toUpperCase(), path, body: Object.keys(model?.properties ?? {}) }];
    }),
  );
}

test('a stolen account at a provider neither moves the creator’s money nor changes who may', async () => {
  const owner = await portal.owner();
  const { body: settings } = await owner.ask('GET', '/payee-settings');
  expect((await owner.ask('PUT', '/payee-settings', { ...settings, waitDays: 0 })).status).toBe(200);
  await makeGroup('stolen', 'holdDays: 0,');
  const email = 'maria@example.com';
  const maria = await creator(email, 'acc_stolen_A');
  await add(maria, 'twitch', 'twitch-of-maria');
  await maria.post(`/payout-methods/codes${at}`, paypal('marias-money@example.com'));
  const { code } = await nextMail();
  const entered = await maria.post(`/payout-methods${at}`, { ...paypal('marias-money@example.com'), code });
  expect(entered.status).toBe(200);
  await earn('stolen', 'A', 5_000);
  await settle();

  const accomplice = await signedIn('accomplice@example.com');
  const thief = portal.browser();
  there.twitch.account = { id: 'twitch-of-maria', name: 'Maria' };
  expect(await signInAt(thief, 'twitch')).toBe('');
  const ids: Record<string, string> = {
    methodId: (await thief.get(`/payout-methods${at}`)).body.methods[0].methodId,
    signInMethodId: (await methodsOf(thief))[0].signInMethodId,
    publisherId: 'aurora',
    groupId: 'stolen',
    sessionId: 'x',
  };
  const before = await saved();
  const mails = sink().mails.length;
  const values: Record<string, unknown> = {
    ...paypal('thiefs-money@example.com'),
    ...{ email: 'thief@example.com', code: 'AAAA-AAAA', newCode: 'AAAA-AAAA', authCode: 'AAAA-AAAA' },
    ...{ provider: 'aurora', name: 'Maria' },
  };
  const answers: [string, number][] = [];
  // Codes are requested first, so that the other operations have something to guess.
  const all = changes().toSorted(
    (one, other) => Number(other.path.endsWith('codes')) - Number(one.path.endsWith('codes')),
  );
  for (const { method, path, body } of all) {
    if (path === '/portal/v1/session') continue; // ends the thief's own session
    const url = path.replace('/portal/v1', '').replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
    const kind = path.includes('sign-in-methods') ? { kind: 'twitch' } : {};
    const known = { ...values, ...kind };
    const json = Object.fromEntries(
      body.flatMap((name) => (name in known ? [[name, known[name as keyof typeof known]]] : [])),
    );
    const answer = await thief.send(method, `${url}${at}`, method === 'DELETE' ? undefined : json);
    const other =
      answer.status === 400 ? await thief.send(method, url, method === 'DELETE' ? undefined : json) : answer;
    expect(other.status, `${method} ${path}`).toBeLessThan(500);
    answers.push([`${method} ${path}`, other.status]);
    await sleep(150); // a person may send ten requests a second
  }
  expect(answers.filter(([, status]) => status === 429)).toEqual([]);
  expect(await saved()).toEqual(before);
  // All codes went to the creator.
  const codes = sink()
    .mails.slice(mails)
    .filter((mail) => /^To: (\S+)\r$/m.exec(mail)?.[1] === email);
  expect(codes.length).toBeGreaterThanOrEqual(6);

  // The creator's own auth code connects the account to no one else.
  const { body: issued } = await thief.post(`/auth-codes${at}`, {});
  expect((await accomplice.post('/claims', { authCode: issued.authCode })).status).toBeGreaterThanOrEqual(
    400,
  );
  expect((await accomplice.get('/accounts')).body.rows).toEqual([]);

  const [batch] = await create('stolen');
  const file = await owner.ask('GET', `/payouts/${batch?.batchId}/files/paypal/1`);
  expect(file.text).toMatch(/^marias-money@example\.com,50\.00,USD,/);
});

describe.each(['twitch', 'discord', 'youtube', 'aurora'] as const)('an account at %s', (provider) => {
  beforeAll(() => sink().skip()); // the creator's codes of the test before
  test.each([
    ['the same address', (email: string) => email],
    ['the same address in other letters', (email: string) => email.toUpperCase()],
    ['another address', () => 'other@example.com'],
    ['no address', () => undefined],
  ])('with %s as a person in the portal is not that person', async (name, addressOf) => {
    const email = `${provider}-${name.replaceAll(' ', '-')}@example.com`;
    const person: Browser = await signedIn(email);
    const address = addressOf(email);
    there[provider].account = {
      ...{ id: `${provider} ${name}`, name: email },
      ...(address !== undefined && { email: address }),
    };
    const visitor = portal.browser();
    expect(await signInAt(visitor, provider)).toBe(`/enter?problem=unknown&provider=${provider}`);
    expect(await emailOf(visitor)).toBe(401);
    expect(await methodsOf(person)).toEqual([]);

    // A person who adds it keeps the own address, and is who it signs in.
    const adder = await signedIn(`adder-${email}`);
    await add(adder, provider, `${provider} ${name}`);
    there[provider].account = {
      ...{ id: `${provider} ${name}`, name: email },
      ...(address !== undefined && { email: address }),
    };
    expect(await signInAt(visitor, provider)).toBe('');
    expect([await emailOf(visitor), await emailOf(person)]).toEqual([`adder-${email}`, email]);
  });
});
