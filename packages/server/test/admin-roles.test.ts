import { beforeAll, describe, expect, test } from 'vitest';
import { type Permission, permissions, permissionsOf, type Role, roles } from '../src/accounts/roles.ts';
import { createToken } from '../src/accounts/tokens/create-token.ts';
import { useManagement } from './management.ts';
import { signIn } from './staff.ts';
import { testActor } from './test-actor.ts';

const { service } = useManagement();

interface Operation {
  method: string;
  /** Path with an existing publisher and ids that do not exist. */
  path: string;
  asks: Permission | 'signed-in' | 'public';
  isFresh: boolean;
  isForPeople: boolean;
}

type Outcome = 'let in' | 'signed out' | 'not theirs' | 'forbidden' | 'stale' | 'for people';

const noId = '01a1fc3e-64b1-75ff-9d00-533d2bb49dde';

/** Returns every registered admin API operation, so that the test covers new operations automatically. */
function operationsAt(publisherId: string): Operation[] {
  const document = service().app.adminDocument() as {
    paths: Record<
      string,
      Record<string, { 'x-permission': Operation['asks']; 'x-fresh'?: boolean; 'x-people'?: boolean }>
    >;
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replace('{publisherId}', publisherId).replace(/\{\w+\}/g, noId),
      asks: operation['x-permission'],
      isFresh: operation['x-fresh'] === true,
      isForPeople: operation['x-people'] === true,
    })),
  );
}

async function call(
  { method, path }: Operation,
  headers: Record<string, string>,
  payload: object = {},
): Promise<{ outcome: Outcome; said: string }> {
  const answer = await service().app.inject({
    method: method as 'GET',
    url: path,
    headers: { host: new URL(service().url).host, ...headers },
    ...(['POST', 'PUT', 'PATCH'].includes(method) && { payload }),
  });
  const said = `${answer.statusCode} ${answer.body.slice(0, 200)}`;
  const isOf = (status: number, words: string): boolean =>
    answer.statusCode === status && answer.body.includes(words);
  if (answer.statusCode === 401) return { outcome: 'signed out', said };
  if (isOf(403, 'SignInAgain')) return { outcome: 'stale', said };
  if (isOf(403, "An operator token can't do this")) return { outcome: 'for people', said };
  if (isOf(403, "doesn't have this permission")) return { outcome: 'forbidden', said };
  if (isOf(404, "aren't on its team")) return { outcome: 'not theirs', said };
  expect(answer.statusCode, `${method} ${path}: ${said}`).toBeLessThan(500);
  return { outcome: 'let in', said };
}

async function expectOutcomes(
  headers: Record<string, string>,
  expected: (operation: Operation) => Outcome,
): Promise<void> {
  const wrong: string[] = [];
  for (const operation of operationsAt('aurora')) {
    if (operation.asks === 'public') continue;
    const { outcome, said } = await call(operation, headers);
    if (outcome !== expected(operation))
      wrong.push(`${operation.method} ${operation.path}: ${expected(operation)}, not ${outcome}: ${said}`);
  }
  expect(wrong).toEqual([]);
}

const isPermission = (asks: Operation['asks']): asks is Permission => asks in permissions;

const allowed = ({ asks }: Operation, role: Role): boolean =>
  !isPermission(asks) || permissionsOf[role].has(asks);

const asToken = async (role: Role, publisherId: string): Promise<Record<string, string>> => {
  const { db } = service().testDatabase.database;
  const made = {
    publisherId,
    name: `every route as ${role}`,
    role,
    expiresAt: new Date(Date.now() + 600_000),
  };
  const { token } = await createToken(db, testActor, made, new Date());
  return { authorization: `Bearer ${token}` };
};

test('every operation declares its requirements, and a publisher’s operations require a permission', () => {
  const operations = operationsAt('aurora');
  expect(operations.length).toBeGreaterThan(60);
  for (const { method, path, asks } of operations) {
    const isOfPublisher = path.startsWith('/admin/v1/publishers/');
    expect(isPermission(asks), `${method} ${path} asks for ${asks}`).toBe(isOfPublisher);
    if (asks === 'public') expect(path).toMatch(/^\/admin\/v1\/auth\//);
  }
  const used = new Set(operations.map(({ asks }) => asks));
  expect(
    Object.keys(permissions).filter((each) => !used.has(each as Permission)),
    'permissions that open nothing',
  ).toEqual(['unmasked']); // no operation requires it, but it reveals more fields in some responses
});

test('a program creates keys and secrets; only people pay out money and manage permissions', () => {
  const ofPublisher = operationsAt('aurora').filter(({ asks, isFresh }) => isFresh && isPermission(asks));
  const named = (isForPeople: boolean): string[] =>
    ofPublisher
      .filter((each) => each.isForPeople === isForPeople)
      .map(({ method, path }) => `${method} ${path.split('/').slice(5).join('/').replaceAll(noId, '*')}`)
      .sort();
  expect(named(false)).toEqual([
    'DELETE connectors/*/secrets/old',
    'DELETE endpoints/*/secrets/old',
    'POST connectors/*/secrets',
    'POST endpoints/*/secrets',
    'POST keys',
    'POST keys/*/revoke',
    'POST keys/*/rotate',
  ]);
  expect(named(true)).toEqual([
    'DELETE invitations/*',
    'DELETE staff/*',
    'DELETE tokens/*',
    'GET payouts/*/files/*/*',
    'GET payouts/*/items-with-payees.csv',
    'PATCH staff/*',
    'POST clawbacks',
    'POST invitations',
    'POST members/*/payees',
    'POST payees/*/approve',
    'POST payees/*/end',
    'POST payees/*/reveal',
    'POST payouts/*/pay',
    'POST payouts/*/results',
    'POST payouts/pay',
    'POST staff/*/end-sessions',
    'POST tokens',
    'PUT payee-settings',
    'PUT staff-rules',
  ]);
  // Without a recent sign-in, a person can only read data, confirm their password, and end their own
  // sessions.
  const notFresh = operationsAt('aurora').filter(({ isFresh, isForPeople }) => isForPeople && !isFresh);
  expect(notFresh.filter(({ path }) => !path.startsWith('/admin/v1/me/'))).toEqual([]);
});

test('text that PostgreSQL cannot store is rejected in query and body, and not found in a path', async () => {
  const { headers } = await signIn(service(), 'owner');
  for (const operation of operationsAt('aurora')) {
    const inQuery = await call({ ...operation, path: `${operation.path}?group=main&group=%00` }, headers);
    expect(inQuery.said, operation.path).toMatch(/^400 .*U\+0000/);
    if (['POST', 'PUT', 'PATCH'].includes(operation.method))
      for (const payload of [{ deep: [{ each: 'a\0b' }] }, { 'a\0b': 1 }])
        expect((await call(operation, headers, payload)).said, operation.path).toMatch(
          /^400 .*body.*U\+0000/,
        );
    // A query parameter that isn't valid UTF-8 must not cause an error; `call` would notice a 500.
    if (operation.method === 'GET')
      await call({ ...operation, path: `${operation.path}?group=%ff` }, headers);
    if (!operation.path.includes(noId)) continue;
    const inPath = await call({ ...operation, path: operation.path.replaceAll(noId, '%00') }, headers);
    expect(inPath.said, operation.path).toMatch(/^404 /);
  }
});

describe.each(roles)('as %s', (role) => {
  test('allows what the table of roles allows, and nothing else', async () => {
    const { headers } = await signIn(service(), role);
    await expectOutcomes(headers, (operation) => (allowed(operation, role) ? 'let in' : 'forbidden'));
  });

  test('allows the same for a program with a token, except actions reserved for people', async () => {
    await expectOutcomes(await asToken(role, 'aurora'), (operation) =>
      !allowed(operation, role) ? 'forbidden' : operation.isForPeople ? 'for people' : 'let in',
    );
  });
});

describe('as another person', () => {
  let headers: Record<string, string>[];
  beforeAll(async () => {
    const rival = await signIn(service(), 'owner', { publisherId: 'rival' });
    headers = [rival.headers, await asToken('owner', 'rival')];
  });

  test('another publisher’s owner or token gets 404', async () => {
    for (const [index, each] of headers.entries())
      await expectOutcomes(each, ({ asks, isForPeople }) =>
        isPermission(asks) ? 'not theirs' : isForPeople && index === 1 ? 'for people' : 'let in',
      );
  });

  test.each([
    ['nobody', {}],
    ['a token that nobody made', { authorization: `Bearer svc_ok_${'x'.repeat(40)}` }],
    ['a session that nobody has', { cookie: `attribution=${'x'.repeat(32)}.${'A'.repeat(43)}%3D` }],
  ])('%s is asked to sign in', async (_, sent: Record<string, string>) => {
    const { origin } = new URL(service().url);
    await expectOutcomes({ origin, ...sent }, () => 'signed out');
  });

  test('an owner with a sign-in older than five minutes must confirm for actions on money, keys and people', async () => {
    const stale = await signIn(service(), 'owner', { confirmedMsAgo: 301_000 });
    await expectOutcomes(stale.headers, ({ isFresh }) => (isFresh ? 'stale' : 'let in'));
    const fresh = operationsAt('aurora').filter(({ isFresh }) => isFresh);
    for (const path of ['/keys', '/tokens', '/invitations', '/pay', '/claw'])
      expect(
        fresh.some((each) => each.path.includes(path)),
        path,
      ).toBe(true);
  });
});
