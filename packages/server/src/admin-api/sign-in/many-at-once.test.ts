import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { until } from '../../../test/attribution-process.ts';
import { Browser } from '../../../test/browser.ts';
import { useManagement } from '../../../test/management.ts';
import { testActor } from '../../../test/test-actor.ts';
import { connect } from '../../../test/test-database.ts';
import { invite } from '../../accounts/people/invite.ts';
import { createPasswordLink } from '../../accounts/people/password-links.ts';

const { service } = useManagement({ environment: { TRUST_PROXY: '127.0.0.1' } });
const db = () => service().testDatabase.database.db;
const password = 'correct horse battery';
/**
 * Time limit for a test with dozens of password hashes, each of which can take a second on a busy machine.
 */
const manyHashesMs = 120_000;

let networks = 0;
/** Returns a browser on its own network. */
const newBrowser = (): Browser => {
  networks += 1;
  return new Browser(service(), `2001:db8:${networks.toString(16)}::1`);
};

const inviteOne = async (email: string): Promise<string> => {
  const invitation = { publisherId: 'aurora', email, role: 'viewer' } as const;
  return (await invite(db(), testActor, invitation, new Date())).token;
};

const accept = (browser: Browser, token: string, chosen = password) =>
  browser.post('/auth/invitation/accept-as-new', { token, name: 'N', password: chosen });

/** Accepts an invitation, retrying after the delay specified by each 503 response. */
async function acceptWithRetries(token: string) {
  for (;;) {
    const answer = await accept(newBrowser(), token);
    if (answer.status !== 503) return answer;
    await sleep(Number(answer.headers.get('retry-after')) * 1_000);
  }
}

test('fourteen people can accept invitations at once', { timeout: manyHashesMs }, async () => {
  const tokens = await Promise.all(Array.from({ length: 14 }, (_, at) => inviteOne(`once${at}@example.com`)));
  const answers = await Promise.all(tokens.map(acceptWithRetries));
  expect(answers.map(({ status, body }) => [status, body.isSignedIn])).toEqual(
    answers.map(() => [200, true]),
  );
});

test('with sixty at once, excess requests are rejected early and do not use up their invitations', {
  timeout: manyHashesMs,
}, async () => {
  const tokens = await Promise.all(
    Array.from({ length: 60 }, (_, at) => inviteOne(`crowd${at}@example.com`)),
  );
  const answers = await Promise.all(tokens.map((token) => accept(newBrowser(), token)));
  const refused = tokens.filter((_, at) => answers[at]?.status === 503);
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, headers } of answers) if (status === 503) expect(headers.get('retry-after')).toBe('3');
  for (const token of refused.slice(0, 5))
    expect(await newBrowser().post('/auth/invitation', { token })).toMatchObject({
      status: 200,
      body: { hasWayIn: false },
    });
  expect(await acceptWithRetries(refused[0] ?? '')).toMatchObject({ status: 200 });
});

test('an invalid link is rejected with 404 even while the queue for hashing is full', async () => {
  let isOver = false;
  let refusals = 0;
  const keepSigningIn = async (person: number): Promise<void> => {
    for (let each = 0; !isOver; each += 1) {
      const email = `unknown${person}-${each}@example.com`;
      const { status } = await newBrowser().post('/auth/sign-in/password', { email, password });
      if (status === 503) refusals += 1;
    }
  };
  const crowd = Array.from({ length: 30 }, (_, person) => keepSigningIn(person));
  const bodies = {
    '/auth/invitation/accept-as-new': { token: 'none', name: 'N', password },
    '/auth/password/reset': { token: 'none', password },
  };
  for (const [path, json] of Object.entries(bodies)) {
    const before = refusals;
    await until('the queue to be full', () => refusals > before);
    for (let each = 0; each < 3; each += 1)
      expect(await newBrowser().post(path, json)).toMatchObject({ status: 404 });
  }
  isOver = true;
  await Promise.all(crowd);
});

test('joining succeeds even if signing in fails, and the person can sign in later', async () => {
  const token = await inviteOne('half@example.com');
  // Only session writes fail.
  const owner = await connect(service().testDatabase.ownerConnection);
  await owner.query('alter table staff_session add constraint none check (false) not valid');
  const browser = newBrowser();
  const answer = await accept(browser, token);
  const again = await newBrowser().post('/auth/sign-in/password', { email: 'half@example.com', password });
  await owner.query('alter table staff_session drop constraint none');
  expect(answer).toMatchObject({ status: 200, body: { publisherId: 'aurora', isSignedIn: false } });
  // A library failure is not reported as an error in the request.
  expect(again).toMatchObject({ status: 503, body: { code: 'Unavailable' } });
  expect(await browser.post('/auth/sign-in/password', { email: 'half@example.com', password })).toMatchObject(
    {
      status: 200,
    },
  );
});

test('attempts are counted by network for IPv6 and by address for IPv4', async () => {
  const open = (address: string) => new Browser(service(), address).post('/auth/invitation', { token: 'x' });
  for (let each = 0; each < 30; each += 1)
    expect((await open(`2001:db9:0:1::${each.toString(16)}`)).status).toBe(404);
  expect((await open('2001:db9:0:1:ffff::1')).status).toBe(429);
  expect((await open('2001:db9:0:2::1')).status).toBe(404);
  for (let each = 0; each < 31; each += 1) expect((await open(`198.51.100.${each}`)).status).toBe(404);
});

test('ten wrong passwords from other browsers do not lock out a browser that has signed in before', async () => {
  const email = 'owner-of-it@example.com';
  const knownBrowser = newBrowser();
  await accept(knownBrowser, await inviteOne(email));
  await knownBrowser.post('/auth/sign-out');
  const tryPassword = (browser: Browser, tried: string) =>
    browser.post('/auth/sign-in/password', { email, password: tried });
  for (let each = 0; each < 10; each += 1)
    expect((await tryPassword(newBrowser(), 'a wrong password')).status).toBe(401);
  expect((await tryPassword(newBrowser(), password)).status).toBe(429);
  expect((await tryPassword(knownBrowser, password)).status).toBe(200);

  // Neither another account's cookie nor a forged cookie makes a browser count as known.
  const neighbor = newBrowser();
  await accept(neighbor, await inviteOne('neighbor@example.com'));
  expect((await tryPassword(neighbor, password)).status).toBe(429);
  const known = knownBrowser.cookies.split('; ').find((each) => each.startsWith('attribution-known=')) ?? '';
  expect(known).not.toBe('');
  const forged = `${known.slice(0, -1)}${known.endsWith('A') ? 'B' : 'A'}`;
  const from = { origin: service().url, 'sec-fetch-site': 'same-origin', cookie: forged };
  expect(
    (
      await new Browser(service(), '2001:dba::1').send(
        'POST',
        '/auth/sign-in/password',
        { email, password },
        from,
      )
    ).status,
  ).toBe(429);

  // Attempts from known browsers are also limited.
  await knownBrowser.post('/auth/sign-out');
  for (let each = 0; each < 10; each += 1)
    expect((await tryPassword(knownBrowser, 'a wrong password')).status).toBe(401);
  expect((await tryPassword(knownBrowser, password)).status).toBe(429);
});

test('a browser that set a new password through a link can sign in with it', async () => {
  const email = 'forgetful@example.com';
  await accept(newBrowser(), await inviteOne(email));
  const tryPassword = (browser: Browser, tried: string) =>
    browser.post('/auth/sign-in/password', { email, password: tried });
  for (let each = 0; each < 11; each += 1) await tryPassword(newBrowser(), 'a wrong password');
  const { token } = await createPasswordLink(db(), null, email, new Date());
  const browser = newBrowser();
  const chosen = 'another good password';
  expect((await browser.post('/auth/password/reset', { token, password: chosen })).status).toBe(200);
  expect((await tryPassword(newBrowser(), chosen)).status).toBe(429);
  expect((await tryPassword(browser, chosen)).status).toBe(200);
});
