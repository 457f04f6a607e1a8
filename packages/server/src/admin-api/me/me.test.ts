import { expect, test } from 'vitest';
import { Browser } from '../../../test/browser.ts';
import { useManagement } from '../../../test/management.ts';
import { signIn } from '../../../test/staff.ts';
import { testActor } from '../../../test/test-actor.ts';
import { invite } from '../../accounts/people/invite.ts';

const log: string[] = [];
const { service } = useManagement({ log });
const db = () => service().testDatabase.database.db;
const password = 'correct horse battery';

/** Somebody who came by an invitation and chose a password. */
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

const ages = (values: { confirmed_at: Date }, email: string) =>
  db()
    .updateTable('staff_session')
    .set(values)
    .where('user_id', '=', (user) => user.selectFrom('staff_user').select('id').where('email', '=', email))
    .execute();

test('a sign-in that has grown old is fresh again after the password, and not after a wrong one', async () => {
  const email = 'old@example.com';
  const browser = await newPerson(email);
  const invited = { email: 'new@example.com', role: 'viewer' };
  const ask = () => browser.post('/publishers/aurora/invitations', invited);
  await ages({ confirmed_at: new Date(Date.now() - 301_000) }, email);
  expect(await ask()).toMatchObject({ status: 403, body: { code: 'SignInAgain' } });
  expect(await browser.post('/me/confirm-password', { password: 'wrong wrong wrong' })).toMatchObject({
    status: 403,
  });
  expect(await ask()).toMatchObject({ status: 403 });
  expect(await browser.post('/me/confirm-password', { password })).toMatchObject({ status: 200 });
  expect(await ask()).toMatchObject({ status: 200 });
});

test('who guesses is slowed down, whether at an account or from an address', async () => {
  const email = 'guessed@example.com';
  await newPerson(email);
  const guess = (to: string) =>
    new Browser(service()).post('/auth/sign-in/password', { email: to, password: 'wrong wrong wrong' });
  const statuses: number[] = [];
  for (let each = 0; each < 12; each += 1) statuses.push((await guess(email)).status);
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
  expect(statuses.slice(10)).toEqual([429, 429]);
  // The right one is refused as well, or a guesser would know it.
  const right = await new Browser(service()).post('/auth/sign-in/password', { email, password });
  expect(right).toMatchObject({ status: 429, body: { code: 'RateLimited' } });
  expect(right.headers.get('retry-after')).toBe('300');
  const others: number[] = [];
  for (let each = 0; each < 30; each += 1) others.push((await guess(`${each}@example.com`)).status);
  expect(others).toContain(429);
});

test('no log holds a password, a link, a code or a cookie', async () => {
  const text = log.join('\n');
  expect(text).toContain('"method":"POST"');
  expect(text).not.toContain(password);
  expect(text).not.toMatch(/attribution=|svc_ok_|otpauth|#[0-9A-Za-z]{40}/);
});

test('passkeys are one’s own', async () => {
  const viewer = await signIn(service(), 'viewer');
  expect(await viewer.ask('GET', '/admin/v1/me/passkeys')).toMatchObject({ status: 200, body: { rows: [] } });
  expect(await viewer.ask('DELETE', '/admin/v1/me/passkeys/none')).toMatchObject({ status: 404 });
  expect(
    await viewer.ask('POST', '/admin/v1/me/passkeys', { name: 'x', response: { id: 'x' } }),
  ).toMatchObject({ status: 403 });
});
