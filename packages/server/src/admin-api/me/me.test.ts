import { createHmac } from 'node:crypto';
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

/** What an application makes of the secret in an otpauth address (RFC 6238). */
function codeOf(uri: string, at = Date.now()): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const bits = [...secret].map((each) => alphabet.indexOf(each).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

test('a second factor counts once its code was shown, is asked for at the next sign-in, and can go again', async () => {
  const email = 'codes@example.com';
  const browser = await newPerson(email);
  expect(await browser.post('/me/two-factor', { password: 'wrong wrong wrong' })).toMatchObject({
    status: 403,
  });
  const begun = await browser.post('/me/two-factor', { password });
  expect(begun).toMatchObject({ status: 200, body: { uri: expect.stringMatching(/^otpauth:\/\/totp\//) } });
  expect(begun.body.spareCodes).toHaveLength(10);
  expect((await browser.get('/me')).body.ways.codes).toBe(false);
  expect(await browser.post('/me/two-factor/finish', { code: '000000' })).toMatchObject({ status: 403 });
  expect(await browser.post('/me/two-factor/finish', { code: codeOf(begun.body.uri) })).toMatchObject({
    status: 200,
  });
  expect((await browser.get('/me')).body).toMatchObject({ hasSecondFactor: true, ways: { codes: true } });

  const another = new Browser(service());
  const begin = () => another.post('/auth/sign-in/password', { email, password });
  expect(await begin()).toMatchObject({ status: 200, body: { asksForCode: true } });
  expect(await another.get('/me')).toMatchObject({ status: 401 });
  expect(await another.post('/auth/sign-in/code', { code: '000000' })).toMatchObject({ status: 401 });
  expect(await another.get('/me')).toMatchObject({ status: 401 });
  expect(await another.post('/auth/sign-in/code', { code: codeOf(begun.body.uri) })).toMatchObject({
    status: 200,
  });
  expect((await another.get('/me')).body.hasSecondFactor).toBe(true);

  // A spare code is good once.
  const [spare] = begun.body.spareCodes;
  for (const status of [200, 401]) {
    await begin();
    expect(await another.post('/auth/sign-in/code', { code: spare })).toMatchObject({ status });
  }
  expect(await browser.post('/me/two-factor/remove', { password })).toMatchObject({ status: 200 });
  expect(await begin()).toMatchObject({ body: { asksForCode: false } });
  const actions = await db()
    .selectFrom('audit_entry')
    .select('action')
    .where('publisher_id', '=', 'aurora')
    .where('action', 'like', '%two-factor')
    .orderBy('audit_id')
    .execute();
  expect(actions.map(({ action }) => action)).toEqual(['staff.set-up-two-factor', 'staff.remove-two-factor']);
});

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
