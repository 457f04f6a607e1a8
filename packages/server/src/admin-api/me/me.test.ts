import { expect, test } from 'vitest';
import { asRole } from '../../../test/admin.ts';
import { entriesOf } from '../../../test/audit.ts';
import { Browser } from '../../../test/browser.ts';
import { useManagement } from '../../../test/management.ts';
import { signIn } from '../../../test/staff.ts';
import { testActor } from '../../../test/test-actor.ts';
import { invite } from '../../accounts/people/invite.ts';

const log: string[] = [];
const { service } = useManagement({ log });
const db = () => service().testDatabase.database.db;
const password = 'correct horse battery';

/** Creates a person who accepted an invitation and chose a password. */
async function newPerson(email: string): Promise<Browser> {
  const { token } = await invite(
    db(),
    testActor,
    { publisherId: 'aurora', email, role: 'owner' },
    new Date(),
  );
  const browser = new Browser(service());
  await browser.post('/auth/invitation/accept-as-new', { token, name: 'Ines', password });
  return browser;
}

const setConfirmedAt = (values: { confirmed_at: Date }, email: string) =>
  db()
    .updateTable('staff_session')
    .set(values)
    .where('user_id', '=', (user) => user.selectFrom('staff_user').select('id').where('email', '=', email))
    .execute();

test('confirming the password refreshes an old sign-in, and a wrong password does not', async () => {
  const email = 'old@example.com';
  const browser = await newPerson(email);
  const invited = { email: 'new@example.com', role: 'viewer' };
  const ask = () => browser.post('/publishers/aurora/invitations', invited);
  await setConfirmedAt({ confirmed_at: new Date(Date.now() - 301_000) }, email);
  expect(await ask()).toMatchObject({ status: 403, body: { code: 'SignInAgain' } });
  expect(await browser.post('/me/confirm-password', { password: 'wrong wrong wrong' })).toMatchObject({
    status: 403,
  });
  expect(await ask()).toMatchObject({ status: 403 });
  expect(await browser.post('/me/confirm-password', { password })).toMatchObject({ status: 200 });
  expect(await ask()).toMatchObject({ status: 200 });
});

test('a person lists their sessions and ends one or all others, which is audited', async () => {
  const email = 'places@example.com';
  const here = await newPerson(email);
  const signedIn = async (userAgent: string) => {
    const browser = new Browser(service());
    const headers = { origin: service().url, 'sec-fetch-site': 'same-origin', 'user-agent': userAgent };
    await browser.send('POST', '/auth/sign-in/password', { email, password }, headers);
    return browser;
  };
  const laptop = await signedIn('a laptop');
  const phone = await signedIn('a phone');
  const idle = await signedIn('idle');
  await db()
    .updateTable('staff_session')
    .set({ last_seen_at: new Date(Date.now() - 13 * 3_600_000) })
    .where('user_agent', '=', 'idle')
    .execute();
  const other = await signIn(service(), 'owner');

  const list = await here.get('/me/sessions');
  const rows: { sessionId: string; userAgent: string | null; isThis: boolean }[] = list.body.rows;
  expect(rows).toHaveLength(3);
  const own = rows.filter(({ isThis }) => isThis);
  expect(own).toHaveLength(1);
  expect(list.text).not.toContain(/attribution=([^.]+)/.exec(here.cookies)?.[1] ?? 'no cookie');
  const idOf = (userAgent: string) => rows.find((row) => row.userAgent === userAgent)?.sessionId ?? '';
  expect(idOf('a laptop')).not.toBe('');

  const entries = await entriesOf(db(), async () => {
    const end = (sessionId: string) => here.send('DELETE', `/me/sessions/${sessionId}`);
    expect(await end(other.sessionId)).toMatchObject({ status: 404, body: { code: 'NotFound' } });
    expect(await end(own[0]?.sessionId ?? '')).toMatchObject({ status: 409, body: { code: 'Conflict' } });
    expect(await end(idOf('a phone'))).toMatchObject({ status: 200, body: { ended: 1 } });
    expect(await end(idOf('a phone'))).toMatchObject({ status: 404 });
  });
  expect(entries).toMatchObject([
    { action: 'staff.end-sessions', target: expect.stringMatching(/^staff:/), after: { ended: 1 } },
  ]);
  expect(await phone.get('/me')).toMatchObject({ status: 401 });
  expect(await laptop.get('/me')).toMatchObject({ status: 200 });
  expect(await laptop.post('/me/sessions/end-others')).toMatchObject({ status: 200, body: { ended: 2 } });
  expect(await laptop.post('/me/sessions/end-others')).toMatchObject({ status: 200, body: { ended: 0 } });
  expect(await here.get('/me')).toMatchObject({ status: 401 });
  expect(await idle.get('/me')).toMatchObject({ status: 401 });
  expect(await laptop.get('/me')).toMatchObject({ status: 200 });
  expect(await other.ask('GET', '/admin/v1/me')).toMatchObject({ status: 200 });
  const token = await asRole(service(), 'owner');
  expect(await token('GET', '/admin/v1/me/sessions')).toMatchObject({ status: 403 });
});

test('password guesses are limited per account and per address', async () => {
  const email = 'guessed@example.com';
  await newPerson(email);
  const guess = (to: string) =>
    new Browser(service()).post('/auth/sign-in/password', { email: to, password: 'wrong wrong wrong' });
  const statuses: number[] = [];
  for (let each = 0; each < 12; each += 1) statuses.push((await guess(email)).status);
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
  expect(statuses.slice(10)).toEqual([429, 429]);
  // The correct password is rejected, too, because otherwise an attacker could recognize it.
  const right = await new Browser(service()).post('/auth/sign-in/password', { email, password });
  expect(right).toMatchObject({ status: 429, body: { code: 'RateLimited' } });
  expect(right.headers.get('retry-after')).toBe('300');
  const others: number[] = [];
  for (let each = 0; each < 30; each += 1) others.push((await guess(`${each}@example.com`)).status);
  expect(others).toContain(429);
});

test('logs never contain a password, link, code or cookie', async () => {
  const text = log.join('\n');
  expect(text).toContain('"method":"POST"');
  expect(text).not.toContain(password);
  expect(text).not.toMatch(/attribution=|svc_ok_|otpauth|#[0-9A-Za-z]{40}/);
});

test('a person manages only their own passkeys', async () => {
  const viewer = await signIn(service(), 'viewer');
  expect(await viewer.ask('GET', '/admin/v1/me/passkeys')).toMatchObject({ status: 200, body: { rows: [] } });
  expect(await viewer.ask('DELETE', '/admin/v1/me/passkeys/none')).toMatchObject({ status: 404 });
  expect(
    await viewer.ask('POST', '/admin/v1/me/passkeys', { name: 'x', response: { id: 'x' } }),
  ).toMatchObject({ status: 403 });
});
