import { expect, test } from 'vitest';
import { Browser } from '../../../test/browser.ts';
import { useManagement } from '../../../test/management.ts';
import { signIn } from '../../../test/staff.ts';
import { testActor } from '../../../test/test-actor.ts';
import { invite } from '../people/invite.ts';

const { service } = useManagement();
const db = () => service().testDatabase.database.db;
const password = 'correct horse battery';

const invited = (email: string, role: 'owner' | 'viewer' = 'owner') =>
  invite(db(), testActor, { publisherId: 'aurora', email, role }, new Date());

test('an invited person chooses a password, is signed in, signs out, and signs in again', async () => {
  const { token } = await invited('Ines@Example.com');
  const browser = new Browser(service());
  expect(await browser.post('/auth/invitation', { token })).toMatchObject({
    status: 200,
    body: { email: 'ines@example.com', role: 'owner', publisherId: 'aurora', hasWayIn: false },
  });
  expect(await browser.get('/me')).toMatchObject({ status: 401 });
  const accepted = await browser.post('/auth/invitation/accept-as-new', { token, name: 'Ines', password });
  expect(accepted).toMatchObject({ status: 200, body: { publisherId: 'aurora', isSignedIn: true } });
  expect(accepted.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^attribution=.*; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^attribution-known=.*; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  expect(await browser.get('/me')).toMatchObject({
    status: 200,
    body: {
      name: 'Ines',
      email: 'ines@example.com',
      hasSecondFactor: false,
      ways: { password: true, passkeys: 0, providers: [], codes: false },
      publishers: [{ publisherId: 'aurora', role: 'owner', lacks: null }],
    },
  });
  expect(await browser.post('/auth/sign-out')).toMatchObject({ status: 200 });
  expect(await browser.get('/me')).toMatchObject({ status: 401 });
  expect(
    await browser.post('/auth/sign-in/password', { email: ' INES@example.com', password }),
  ).toMatchObject({
    status: 200,
    body: { asksForCode: false },
  });
  expect(await browser.get('/me')).toMatchObject({ status: 200 });
  expect(await browser.post('/auth/invitation', { token })).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('already used') },
  });
});

test('answers a wrong password, an unknown address and an address that was only invited identically', async () => {
  await invited('waiting@example.com');
  const answers = await Promise.all(
    ['owner@example.com', 'unknown@example.com', 'waiting@example.com', 'no address'].map((email) =>
      new Browser(service()).post('/auth/sign-in/password', { email, password: 'wrong wrong wrong' }),
    ),
  );
  for (const answer of answers)
    expect(answer).toMatchObject({
      status: 401,
      body: { code: 'Unauthorized', message: 'The email address or the password is wrong.' },
    });
});

test('a session gives access only to its own publisher, and a forged cookie gives no access', async () => {
  const viewer = await signIn(service(), 'viewer');
  expect(await viewer.ask('GET', '/admin/v1/me')).toMatchObject({
    status: 200,
    body: { publishers: [{ publisherId: 'aurora', role: 'viewer' }] },
  });
  const cookie = viewer.headers.cookie ?? '';
  const forged = [
    cookie.replace(/=(.)/, (_, first: string) => `=${first === 'a' ? 'b' : 'a'}`),
    `${cookie.slice(0, -8)}AAAA%3D`,
    cookie.replace(/\..*/, ''),
    'attribution=%zz',
  ];
  for (const each of forged)
    expect(
      await service().call('GET', '/admin/v1/me', {
        key: null,
        headers: { ...viewer.headers, cookie: each },
      }),
    ).toMatchObject({ status: 401 });
});

test('uses the valid session cookie out of several, also for the library’s calls', async () => {
  const viewer = await signIn(service(), 'viewer');
  const good = viewer.headers.cookie ?? '';
  const ended = await signIn(service(), 'viewer');
  await db().deleteFrom('staff_session').where('id', '=', ended.sessionId).execute();
  const bad = ['attribution=%zz', 'attribution=forged.AAAA', ended.headers.cookie ?? '', 'attribution='];
  const get = (cookie: string) =>
    service().call('GET', '/admin/v1/me', { key: null, headers: { ...viewer.headers, cookie } });
  for (const each of bad) {
    expect((await get(`${each}; ${good}`)).body?.email).toBe(viewer.email);
    expect((await get(`${good}; ${each}`)).body?.email).toBe(viewer.email);
  }
  // Only the first eight cookies are checked.
  expect((await get(`${'attribution=forged.AAAA; '.repeat(8)}${good}`)).status).toBe(401);
  const out = await service().call('POST', '/admin/v1/auth/sign-out', {
    key: null,
    headers: { ...viewer.headers, cookie: `${bad.join('; ')}; ${good}` },
  });
  expect(out.status).toBe(200);
  expect((await get(good)).status).toBe(401);
});

test.each([
  ['a control character', 'Ines\u0007'],
  ['a line end', 'Ines\nOwner'],
  ['text that runs backwards', 'Ines\u202egnp.exe'],
  ['an isolate', '\u2066Ines'],
])('rejects %s in displayed names, and does not use up an invitation', async (_, name) => {
  const { token } = await invited(`named${Math.random()}@example.com`);
  const browser = new Browser(service());
  const message = expect.stringContaining('change the text direction');
  const refused = { status: 400, body: { code: 'InvalidInput', message, path: ['name'] } };
  expect(await browser.post('/auth/invitation/accept-as-new', { token, name, password })).toMatchObject(
    refused,
  );
  expect(await browser.post('/auth/invitation', { token })).toMatchObject({ status: 200 });
  const owner = await signIn(service(), 'owner');
  for (const [method, path, json] of [
    ['POST', '/tokens', { name, role: 'viewer', expiresInDays: 1 }],
    ['POST', '/keys', { name, kind: 'secret' }],
    ['PUT', '/groups/shown', { version: null, name, revShare: 10 }],
    ['POST', '/members', { id: 'shown', name }],
  ] as const)
    expect([path, await owner.ask(method, path, json)]).toEqual([path, expect.objectContaining(refused)]);
  const email = `${name.replaceAll(/\s/g, '')}@example.com`;
  if (!/\s/.test(name))
    expect(await owner.ask('POST', '/invitations', { email, role: 'viewer' })).toMatchObject({ status: 400 });
});
