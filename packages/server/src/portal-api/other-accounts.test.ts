import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { purchase } from '../../test/fixtures.ts';
import { monthsOf } from '../../test/months.ts';
import { usePortal } from '../../test/portal.ts';
import { addProviderFor } from '../../test/sign-in-methods.ts';

const portal = await usePortal();
const { service, creator, signedIn, makeMember, query } = portal;

interface Operation {
  method: string;
  path: string;
  caller: 'publisher' | 'signed-in' | 'alert' | 'public';
  query: string[];
  body: string[];
}

/** Returns every operation of the portal's API, so that the test covers new operations automatically. */
function operations(): Operation[] {
  interface Described {
    'x-caller': Operation['caller'];
    parameters?: { in: string; name: string }[];
    requestBody?: { content: Record<string, { schema: Schema }> };
  }
  interface Schema {
    $ref?: string;
    properties?: Record<string, unknown>;
  }
  const document = service().app.portalDocument() as {
    paths: Record<string, Record<string, Described>>;
    components: { schemas: Record<string, Schema> };
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const schema = Object.values(described.requestBody?.content ?? {})[0]?.schema;
      const model = document.components.schemas[schema?.$ref?.split('/').at(-1) ?? ''];
      return {
        method: method.toUpperCase(),
        path,
        caller: described['x-caller'],
        query: (described.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name),
        body: Object.keys((model ?? schema)?.properties ?? {}),
      };
    }),
  );
}

let victim: Browser;
let thief: Browser;
/** Creator in the victim's group. */
let neighbor: Browser;
let newcomer: Browser;
/** Ids of the victim that appear in paths, queries and bodies. */
let ids: Record<string, string>;
/** Texts that only the victim may see. */
let secrets: string[];

beforeAll(async () => {
  const memberId = await makeMember('moba', 'VICTIM', 'playerId: p-victim');
  const other = await portal.makeOutsider('THIEF');
  victim = await creator('victim@example.com', memberId);
  thief = await creator('thief@example.com', other); // a member of the publisher rival only
  neighbor = await creator('neighbor@example.com', await makeMember('moba', 'NEIGHBOR'));
  newcomer = await signedIn('newcomer@example.com');
  const [session] = (await victim.get('/sessions')).body.rows;
  await portal.provisionGroup('moba', 'holdDays: 0');
  const sold = purchase({ code: 'VICTIM', memberSharePercent: 100, subtotal: 98_765 });
  expect(await portal.record(sold, { query: '?groupId=moba' })).toMatchObject({ status: 200 });
  await portal.settle();
  await portal.create('moba');
  const [{ earningId, reference, payout }] = (await victim.get('/earnings?publisher=aurora')).body.rows;
  ids = {
    sessionId: session.sessionId,
    publisher: 'aurora',
    // The victim's group is closed for applications, so it looks like one that doesn't exist.
    publisherId: 'aurora',
    groupId: 'moba',
    wantedCode: 'VICTIM',
    accountId: memberId,
    memberId,
    earningId,
    lineId: payout.lineId,
  };
  ids.methodId = await makeMethod();
  ids.signInMethodId = await addProvider();
  await monthsOf(portal.db).close();
  const [{ statementId }] = (await victim.get('/statements?publisher=aurora')).body.rows;
  ids.statementId = statementId;
  for (const path of [
    `/earnings/${earningId}/explain`,
    `/payouts/${payout.lineId}`,
    `/statements/${statementId}`,
  ])
    expect(await victim.get(`${path}?publisher=aurora`)).toMatchObject({ status: 200 });
  secrets = ['VICTIM', memberId, session.sessionId, 'victim@example.com', '98765', reference, statementId];
  secrets.push('victims-money', 'v…@example.com', 'victims-channel', ids.signInMethodId);
});

/** Enters a payout method for the victim. @returns its id */
async function makeMethod(): Promise<string> {
  const method = {
    kind: 'paypal',
    holderName: 'The Victim',
    holderType: 'individual',
    country: 'DE',
    email: 'victims-money@example.com',
  };
  const at = '?publisher=aurora';
  expect(await victim.post(`/payout-methods/codes${at}`, method)).toMatchObject({ status: 200 });
  const { code } = await portal.nextMail();
  expect(await victim.post(`/payout-methods${at}`, { ...method, code })).toMatchObject({ status: 200 });
  return (await victim.get(`/payout-methods${at}`)).body.methods[0].methodId;
}

/** Adds an account at a provider for the victim. @returns the id of the sign-in method */
async function addProvider(): Promise<string> {
  await addProviderFor(portal.db(), 'victim@example.com', { provider: 'aurora', name: 'victims-channel' });
  return (await victim.get('/sign-in-methods')).body.rows[0].signInMethodId;
}

/** Sends a request, again while the person has sent too many. */
async function send(from: Browser, method: string, path: string, json?: object) {
  for (;;) {
    const answer = await from.send(method, path, json);
    if (answer.status !== 429) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const saved = () =>
  query(sql`
    select (select json_agg(p order by p.method_id) from payee_method p) as methods,
           (select json_agg(s order by s.session_id) from portal_session s) as sessions,
           (select json_agg(a order by a.subject) from portal_provider_account a) as provider_accounts,
           (select json_agg(c order by c.account_id) from portal_user_account c) as accounts`);

test('every operation says who may call it, and takes no account from the request', () => {
  const all = operations();
  expect(all.length).toBeGreaterThan(20);
  for (const { method, path, caller, query: parameters, body } of all) {
    const named = `${method} ${path}`;
    expect(['publisher', 'signed-in', 'alert', 'public'], named).toContain(caller);
    expect(parameters.includes('publisher'), named).toBe(caller === 'publisher');
    if (caller === 'public') expect(path).toMatch(/^\/portal\/v1\/(auth|apply)\//);
    for (const name of [
      ...parameters,
      ...body,
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, inPath = '']) => inPath),
    ])
      expect(name, named).not.toMatch(/account|member|user/i);
  }
});

test('with another person’s ids, no operation shows or changes anything of that person', async () => {
  const before = await saved();
  for (const from of [thief, neighbor, newcomer])
    for (const { method, path, caller, query: parameters, body } of operations()) {
      // These end the caller's own session, which is tested elsewhere.
      if (method === 'DELETE' && path === '/portal/v1/session') continue;
      const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
        expect(ids, `the test knows no id for ${name} in ${path}`).toHaveProperty(name);
        return ids[name] ?? '';
      });
      const search = new URLSearchParams(
        parameters.flatMap((name): [string, string][] => (name in ids ? [[name, ids[name] ?? '']] : [])),
      );
      const json =
        method === 'POST' ? Object.fromEntries(body.map((name) => [name, ids[name] ?? 'x'])) : undefined;
      const answer = await from.send(method, `${url}?${search}`, json);
      const named = `${method} ${path}`;
      const isOfPublisher = caller === 'publisher' && from !== neighbor;
      if (isOfPublisher || path.includes('{')) expect([named, answer.status]).toEqual([named, 404]);
      expect(answer.status, named).toBeLessThan(500);
      for (const secret of secrets) expect(answer.text, named).not.toContain(secret);
    }
  expect(await saved()).toEqual(before);
  // A publisher that doesn't exist gets the same response as one of other creators.
  const [foreign, unknown] = [
    await thief.get('/home?publisher=aurora'),
    await thief.get('/home?publisher=no-such-publisher'),
  ];
  expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text]);
  expect(await victim.get('/home?publisher=aurora')).toMatchObject({ status: 200 });
});

test('without a session, every operation that isn’t public returns 401', async () => {
  const { origin } = new URL('http://localhost:9090');
  for (const { method, path, caller, query: parameters, body } of operations()) {
    if (caller === 'public') continue;
    const answer = await service().call(
      method,
      `${path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '')}${parameters.includes('publisher') ? '?publisher=aurora' : ''}`,
      {
        key: null,
        headers: {
          origin,
          'sec-fetch-site': 'same-origin',
          cookie: `attribution-creators=${'x'.repeat(40)}`,
        },
        ...(method === 'POST' && { json: Object.fromEntries(body.map((name) => [name, 'x'])) }),
      },
    );
    expect([`${method} ${path}`, answer.status]).toEqual([`${method} ${path}`, 401]);
  }
});

test('every operation rejects unknown properties and parameters, and text that cannot be stored', async () => {
  for (const { method, path, caller, query: parameters, body } of operations()) {
    if (method === 'DELETE' || caller === 'alert') continue;
    const known = parameters.includes('publisher') ? 'publisher=rival&' : '';
    const sent = Object.fromEntries(body.map((name) => [name, 'x']));
    const named = `${method} ${path}`;
    if (method === 'POST') {
      const { status } = await send(thief, 'POST', path, { ...sent, accountId: ids.accountId });
      expect([named, status]).toEqual([named, 400]);
      const nul = await send(thief, 'POST', path, { ...sent, x: 'a\0b' });
      expect([named, nul.status]).toEqual([named, 400]);
    } else {
      const { status } = await send(thief, method, `${path}?${known}account=${ids.accountId}`);
      expect([named, caller, status]).toEqual([named, caller, 400]);
      expect((await send(thief, method, `${path}?${known}x=%00`)).status, named).toBe(400);
    }
  }
});
