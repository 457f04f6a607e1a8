import { expect, test } from 'vitest';
import { Browser } from '../../../test/browser.ts';
import { useManagement } from '../../../test/management.ts';
import { signIn } from '../../../test/staff.ts';
import { roleVersion } from '../roles.ts';

const { service } = useManagement();
const minutes = (count: number): number => count * 60_000;
const db = () => service().testDatabase.database.db;

test('shows the link of an invitation when mail is off, and the link works once', async () => {
  const owner = await signIn(service(), 'owner');
  const { status, body } = await owner.ask('POST', '/invitations', {
    email: 'Fin@Example.com',
    role: 'finance',
  });
  expect([status, body.email]).toEqual([200, 'fin@example.com']);
  expect(body.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/invitation#[0-9A-Za-z]{40}$/);
  expect((await owner.ask('GET', '/invitations')).body.rows).toMatchObject([
    { email: 'fin@example.com', role: 'finance', invitedBy: 'The owner' },
  ]);
  const token = body.url.split('#')[1];
  const fin = new Browser(service());
  const accept = () =>
    fin.post('/auth/invitation/accept-as-new', { token, name: 'Fin', password: 'several words make it' });
  expect(await accept()).toMatchObject({ status: 200, body: { publisherId: 'aurora' } });
  expect(await accept()).toMatchObject({ status: 404, body: { code: 'NotFound' } });
  expect((await fin.get('/me')).body.publishers).toMatchObject([{ publisherId: 'aurora', role: 'finance' }]);
  expect(await fin.get('/publishers/aurora/invitations')).toMatchObject({ status: 403 });
  const { body: audit } = await owner.ask('GET', '/staff');
  expect(audit.rows.map(({ name, role }: { name: string; role: string }) => [name, role])).toContainEqual([
    'Fin',
    'finance',
  ]);
});

test('rejects an invitation that has expired, was withdrawn, or is for another person', async () => {
  const owner = await signIn(service(), 'owner');
  const inviting = async (email: string) =>
    (await owner.ask('POST', '/invitations', { email, role: 'viewer' })).body;
  const accept = (browser: Browser, url: string) =>
    browser.post('/auth/invitation/accept-as-new', {
      token: url.split('#')[1],
      name: 'X',
      password: 'several words make it',
    });
  const ended = await inviting('ended@example.com');
  await db()
    .updateTable('staff_invitation')
    .set({ expires_at: new Date() })
    .where('email', '=', 'ended@example.com')
    .execute();
  expect(await accept(new Browser(service()), ended.url)).toMatchObject({
    status: 404,
    body: { message: 'This invitation has expired. Ask The owner for a new one.' },
  });
  const withdrawn = await inviting('withdrawn@example.com');
  expect(await owner.ask('DELETE', `/invitations/${withdrawn.invitationId}`)).toMatchObject({ status: 200 });
  expect(await owner.ask('DELETE', `/invitations/${withdrawn.invitationId}`)).toMatchObject({ status: 404 });
  expect(await accept(new Browser(service()), withdrawn.url)).toMatchObject({ status: 404 });
  // A second invitation for the same address replaces the first.
  const [first, second] = [await inviting('twice@example.com'), await inviting('twice@example.com')];
  expect(await accept(new Browser(service()), first.url)).toMatchObject({ status: 404 });
  const other = await signIn(service(), 'viewer');
  expect(
    await other.ask('POST', '/admin/v1/auth/invitation/accept', { token: second.url.split('#')[1] }),
  ).toMatchObject({ status: 403, body: { message: expect.stringContaining('twice@example.com') } });
  expect(await accept(new Browser(service()), second.url)).toMatchObject({ status: 200 });
  // A person who has an account must sign in first, so that a forwarded link doesn't give access to the
  // account.
  const rival = await signIn(service(), 'owner', { publisherId: 'rival' });
  const again = await rival.ask('POST', '/invitations', { email: 'twice@example.com', role: 'viewer' });
  expect(await accept(new Browser(service()), again.body.url)).toMatchObject({ status: 409 });
});

test('keeps each publisher’s people, invitations and tokens separate', async () => {
  const [owner, rival] = [
    await signIn(service(), 'owner'),
    await signIn(service(), 'owner', { publisherId: 'rival' }),
  ];
  const token = (await owner.ask('POST', '/tokens', { name: 'ours', role: 'viewer', expiresInDays: 1 })).body;
  const { invitationId } = (
    await owner.ask('POST', '/invitations', { email: 'ours@example.com', role: 'viewer' })
  ).body;
  for (const [method, path, json] of [
    ['DELETE', `/staff/${owner.userId}`],
    ['PATCH', `/staff/${owner.userId}`, { role: 'viewer', version: roleVersion('owner') }],
    ['POST', `/staff/${owner.userId}/end-sessions`],
    ['DELETE', `/tokens/${token.tokenId}`],
    ['DELETE', `/invitations/${invitationId}`],
  ] as const)
    expect(await rival.ask(method, path, json), `${method} ${path}`).toMatchObject({ status: 404 });
  expect(await owner.ask('GET', '/admin/v1/publishers/rival/staff')).toMatchObject({ status: 404 });
});

test('keeps the last owner, even when two owners remove each other at the same time', async () => {
  const owner = await signIn(service(), 'owner', { publisherId: 'rival' });
  const owners = async () =>
    (await owner.ask('GET', '/staff')).body.rows.filter(({ role }: { role: string }) => role === 'owner') as {
      userId: string;
    }[];
  for (const { userId } of await owners())
    if (userId !== owner.userId)
      expect(await owner.ask('DELETE', `/staff/${userId}`)).toMatchObject({ status: 200 });
  const lastOwner = { status: 409, body: { message: expect.stringContaining('last owner') } };
  expect(await owner.ask('DELETE', `/staff/${owner.userId}`)).toMatchObject(lastOwner);
  const demotion = { role: 'viewer', version: roleVersion('owner') };
  expect(await owner.ask('PATCH', `/staff/${owner.userId}`, demotion)).toMatchObject(lastOwner);
  const second = await signIn(service(), 'owner', { publisherId: 'rival' });
  const both = await Promise.all([
    owner.ask('DELETE', `/staff/${second.userId}`),
    second.ask('DELETE', `/staff/${owner.userId}`),
  ]);
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('rejects a stale edit of a role', async () => {
  const owner = await signIn(service(), 'owner');
  const viewer = await signIn(service(), 'viewer');
  const { rows } = (await owner.ask('GET', '/staff')).body;
  const { version } = rows.find(({ userId }: { userId: string }) => userId === viewer.userId);
  const change = (role: string, seen: string) =>
    owner.ask('PATCH', `/staff/${viewer.userId}`, { role, version: seen });
  const support = await change('support', version);
  expect(support.status).toBe(200);
  expect(await change('finance', version)).toMatchObject({ status: 409, body: { code: 'Stale' } });
  expect(await change('finance', support.body.version)).toMatchObject({ status: 200 });
  expect(await viewer.ask('GET', '/staff')).toMatchObject({ status: 200 });
  expect(await owner.ask('DELETE', `/staff/${viewer.userId}`)).toMatchObject({ status: 200 });
  expect(await viewer.ask('GET', '/staff')).toMatchObject({ status: 404 });
});

test('requires a recent sign-in for people, keys and money, and rejects tokens for people', async () => {
  const stale = await signIn(service(), 'owner', { confirmedMsAgo: minutes(5) + 1_000 });
  const invite = { email: 'fresh@example.com', role: 'viewer' };
  expect(await stale.ask('POST', '/invitations', invite)).toMatchObject({
    status: 403,
    body: { code: 'SignInAgain' },
  });
  expect(await stale.ask('GET', '/invitations')).toMatchObject({ status: 200 });
  const fresh = await signIn(service(), 'owner', { confirmedMsAgo: minutes(5) - 10_000 });
  const made = await fresh.ask('POST', '/tokens', { name: 'terraform', role: 'owner', expiresInDays: 30 });
  expect(made.body.token).toMatch(/^svc_ok_/);
  const program = { authorization: `Bearer ${made.body.token}` };
  const call = (method: string, path: string, json?: unknown) =>
    service().call(method, `/admin/v1/publishers/aurora${path}`, {
      key: null,
      headers: program,
      ...(json !== undefined && { json }),
    });
  expect(await call('GET', '/staff')).toMatchObject({ status: 200 });
  for (const [path, json] of [
    ['/invitations', invite],
    ['/tokens', { name: 'another', role: 'owner', expiresInDays: 1 }],
  ] as const)
    expect(await call('POST', path, json), path).toMatchObject({ status: 403, body: { code: 'Forbidden' } });
  const key = await call('POST', '/keys', { name: 'by terraform', kind: 'secret' });
  expect(key).toMatchObject({ status: 200, body: { key: expect.stringMatching(/^svc_sk_/) } });
  for (const [path, json] of [
    [`/keys/${key.body.keyId}/rotate`, { overlapHours: 1 }],
    [`/keys/${key.body.keyId}/revoke`, {}],
  ] as const)
    expect(await call('POST', path, json), path).toMatchObject({ status: 200 });
  expect((await fresh.ask('GET', '/tokens')).text).not.toContain(made.body.token);
  expect(await fresh.ask('DELETE', `/tokens/${made.body.tokenId}`)).toMatchObject({ status: 200 });
  expect(await call('GET', '/staff')).toMatchObject({ status: 401 });
});

test('shows who created a token, and revokes it when they are removed or may no longer create tokens', async () => {
  const boss = await signIn(service(), 'owner');
  const makes = async (name: string) => {
    const maker = await signIn(service(), 'owner', { name });
    const made = await maker.ask('POST', '/tokens', { name: `of ${name}`, role: 'owner', expiresInDays: 30 });
    const ask = () =>
      service().call('GET', '/admin/v1/publishers/aurora/staff', {
        key: null,
        headers: { authorization: `Bearer ${made.body.token}` },
      });
    expect(await ask()).toMatchObject({ status: 200 });
    return { maker, ask, tokenId: made.body.tokenId };
  };
  const [gone, demoted, staying] = [await makes('Gone'), await makes('Demoted'), await makes('Staying')];
  const listed = (await boss.ask('GET', '/tokens')).body.rows as { tokenId: string }[];
  expect(listed.find(({ tokenId }) => tokenId === gone.tokenId)).toMatchObject({
    createdBy: { kind: 'staff', id: gone.maker.userId, name: 'Gone' },
  });
  expect(await boss.ask('DELETE', `/staff/${gone.maker.userId}`)).toMatchObject({ status: 200 });
  expect(
    await boss.ask('PATCH', `/staff/${demoted.maker.userId}`, {
      role: 'finance',
      version: roleVersion('owner'),
    }),
  ).toMatchObject({ status: 200 });
  expect([(await gone.ask()).status, (await demoted.ask()).status, (await staying.ask()).status]).toEqual([
    401, 401, 200,
  ]);
  const revoked = await db()
    .selectFrom('audit_entry')
    .select(['actor_id', 'reason'])
    .where('publisher_id', '=', 'aurora')
    .where('target', '=', `token:${gone.tokenId}`)
    .where('action', '=', 'token.revoke')
    .execute();
  expect(revoked).toEqual([
    { actor_id: boss.userId, reason: 'The person who created it may no longer create tokens.' },
  ]);
});

test('ends a session after twelve idle hours, and a week after it began', async () => {
  const viewer = await signIn(service(), 'viewer');
  const hours = (count: number) => new Date(Date.now() - minutes(count * 60));
  const set = (values: { last_seen_at?: Date; expires_at?: Date }) =>
    db().updateTable('staff_session').set(values).where('id', '=', viewer.sessionId).execute();
  await set({ last_seen_at: hours(11.9) });
  expect(await viewer.ask('GET', '/staff')).toMatchObject({ status: 200 });
  // The request above reset the session's idle time.
  const { last_seen_at } = await db()
    .selectFrom('staff_session')
    .select('last_seen_at')
    .where('id', '=', viewer.sessionId)
    .executeTakeFirstOrThrow();
  expect(Date.now() - last_seen_at.getTime()).toBeLessThan(minutes(1));
  await set({ last_seen_at: hours(12.1) });
  expect(await viewer.ask('GET', '/staff')).toMatchObject({ status: 401 });
  await set({ last_seen_at: new Date() });
  expect(await viewer.ask('GET', '/staff')).toMatchObject({ status: 200 });
  await set({ expires_at: new Date() });
  expect(await viewer.ask('GET', '/staff')).toMatchObject({ status: 401 });
});

test('rejects a person with one factor if the publisher requires two', async () => {
  const owner = await signIn(service(), 'owner', { hasSecondFactor: true });
  const plain = await signIn(service(), 'viewer');
  const { version } = (await owner.ask('GET', '/staff-rules')).body;
  const put = (demandsTwoFactor: boolean, seen: string) =>
    owner.ask('PUT', '/staff-rules', { demandsTwoFactor, fourEyesPayouts: false, version: seen });
  const strict = await put(true, version);
  expect(strict.status).toBe(200);
  expect(await put(false, version)).toMatchObject({ status: 409, body: { code: 'Stale' } });
  expect(await plain.ask('GET', '/staff')).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('second factor') },
  });
  expect((await plain.ask('GET', '/admin/v1/me')).body.publishers).toMatchObject([{ lacks: 'two-factor' }]);
  expect(await owner.ask('GET', '/staff')).toMatchObject({ status: 200 });
  expect(await put(false, strict.body.version)).toMatchObject({ status: 200 });
  expect(await plain.ask('GET', '/staff')).toMatchObject({ status: 200 });
});

test('rejects forms, and changes that another site may have sent', async () => {
  const owner = await signIn(service(), 'owner');
  const send = (headers: Record<string, string>, body: { json?: unknown; form?: Record<string, string> }) =>
    service().call('POST', '/admin/v1/publishers/aurora/invitations', { key: null, headers, ...body });
  const { cookie = '' } = owner.headers;
  const json = { email: 'foreign@example.com', role: 'viewer' };
  for (const headers of [
    { cookie },
    { cookie, origin: 'https://evil.example' },
    { cookie, origin: 'null' },
    { cookie, origin: service().url, 'sec-fetch-site': 'cross-site' },
    { cookie, origin: service().url, 'sec-fetch-site': 'same-site' },
    { cookie, origin: service().url.replace('127.0.0.1', 'localhost'), 'sec-fetch-site': 'same-origin' },
    { cookie, origin: 'https://evil.example', authorization: 'Bearer x' },
  ])
    expect(await send(headers, { json }), JSON.stringify(headers)).toMatchObject({
      status: 403,
      body: { code: 'Forbidden' },
    });
  expect(await send(owner.headers, { form: { email: 'f@example.com', role: 'viewer' } })).toMatchObject({
    status: 400,
  });
  expect(await send(owner.headers, { json })).toMatchObject({ status: 200 });
});
