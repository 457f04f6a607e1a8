import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Browser } from '../../../test/browser.ts';
import { useManagement } from '../../../test/management.ts';
import { testActor } from '../../../test/test-actor.ts';
import { connect } from '../../../test/test-database.ts';
import { invite } from '../../accounts/people/invite.ts';
import { createPasswordLink } from '../../accounts/people/password-links.ts';

const { service } = useManagement({ environment: { TRUST_PROXY: '127.0.0.1' } });
const db = () => service().testDatabase.database.db;
const password = 'correct horse battery';

let networks = 0;
/** A browser in a network of its own. */
const elsewhere = (): Browser => {
  networks += 1;
  return new Browser(service(), `2001:db8:${networks.toString(16)}::1`);
};

const inviteOne = async (email: string): Promise<string> => {
  const asked = { publisherId: 'aurora', email, role: 'viewer' } as const;
  return (await invite(db(), testActor, asked, new Date())).token;
};

const accept = (browser: Browser, token: string, chosen = password) =>
  browser.post('/auth/invitation/accept-as-new', { token, name: 'N', password: chosen });

/** @returns how long an answer takes */
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

/** Accepts, and does as it is told where many others do. */
async function acceptPatiently(token: string) {
  for (;;) {
    const answer = await accept(elsewhere(), token);
    if (answer.status !== 503) return answer;
    await sleep(Number(answer.headers.get('retry-after')) * 1_000);
  }
}

test('fourteen people who accept at once are all in', async () => {
  const tokens = await Promise.all(Array.from({ length: 14 }, (_, at) => inviteOne(`once${at}@example.com`)));
  const answers = await Promise.all(tokens.map(acceptPatiently));
  expect(answers.map(({ status, body }) => [status, body.isSignedIn])).toEqual(
    answers.map(() => [200, true]),
  );
});

test('of sixty those who cannot be served are refused early, and their invitations are not spent', async () => {
  const tokens = await Promise.all(
    Array.from({ length: 60 }, (_, at) => inviteOne(`crowd${at}@example.com`)),
  );
  const answers = await Promise.all(tokens.map((token) => accept(elsewhere(), token)));
  const refused = tokens.filter((_, at) => answers[at]?.status === 503);
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, headers } of answers) if (status === 503) expect(headers.get('retry-after')).toBe('3');
  for (const token of refused.slice(0, 5))
    expect(await elsewhere().post('/auth/invitation', { token })).toMatchObject({
      status: 200,
      body: { hasWayIn: false },
    });
  expect(await acceptPatiently(refused[0] ?? '')).toMatchObject({ status: 200 });
});

test('a link that is none is refused before a password is hashed', async () => {
  const hashed = await timed(async () => accept(elsewhere(), await inviteOne('slow@example.com')));
  const links = ['/auth/invitation/accept-as-new', '/auth/password/reset'];
  for (const path of links) {
    const json = { token: 'none', password, ...(path.includes('invitation') && { name: 'N' }) };
    const times: number[] = [];
    for (let each = 0; each < 5; each += 1)
      times.push(
        await timed(async () => expect(await elsewhere().post(path, json)).toMatchObject({ status: 404 })),
      );
    expect(Math.min(...times)).toBeLessThan(hashed / 2);
  }
  // While all turns are taken: refused for what it is, at once, and not for the crowd.
  const crowd = Array.from({ length: 18 }, () =>
    elsewhere().post('/auth/sign-in/password', { email: 'nobody@example.com', password }),
  );
  expect(await accept(elsewhere(), 'none')).toMatchObject({ status: 404 });
  await Promise.all(crowd);
});

test('who joined and could not be signed in is told so, and signs in', async () => {
  const token = await inviteOne('half@example.com');
  // Sessions alone cannot be written.
  const owner = await connect(service().testDatabase.ownerConnection);
  await owner.query('alter table staff_session add constraint none check (false) not valid');
  const browser = elsewhere();
  const answer = await accept(browser, token);
  const again = await elsewhere().post('/auth/sign-in/password', { email: 'half@example.com', password });
  await owner.query('alter table staff_session drop constraint none');
  expect(answer).toMatchObject({ status: 200, body: { publisherId: 'aurora', isSignedIn: false } });
  // The library's failure is no fault of the request.
  expect(again).toMatchObject({ status: 503, body: { code: 'Unavailable' } });
  expect(await browser.post('/auth/sign-in/password', { email: 'half@example.com', password })).toMatchObject(
    {
      status: 200,
    },
  );
});

test('attempts count against a network of IPv6, and against each address of IPv4', async () => {
  const look = (address: string) => new Browser(service(), address).post('/auth/invitation', { token: 'x' });
  for (let each = 0; each < 30; each += 1)
    expect((await look(`2001:db9:0:1::${each.toString(16)}`)).status).toBe(404);
  expect((await look('2001:db9:0:1:ffff::1')).status).toBe(429);
  expect((await look('2001:db9:0:2::1')).status).toBe(404);
  for (let each = 0; each < 31; each += 1) expect((await look(`198.51.100.${each}`)).status).toBe(404);
});

test('ten wrong passwords of strangers keep out neither the browser that was in before nor who proves the address', async () => {
  const email = 'owner-of-it@example.com';
  const own = elsewhere();
  await accept(own, await inviteOne(email));
  await own.post('/auth/sign-out');
  const enter = (browser: Browser, tried: string) =>
    browser.post('/auth/sign-in/password', { email, password: tried });
  for (let each = 0; each < 10; each += 1)
    expect((await enter(elsewhere(), 'a wrong password')).status).toBe(401);
  expect((await enter(elsewhere(), password)).status).toBe(429);
  expect((await enter(own, password)).status).toBe(200);

  // Another account's cookie, and one that was changed, are a stranger's.
  const neighbor = elsewhere();
  await accept(neighbor, await inviteOne('neighbor@example.com'));
  expect((await enter(neighbor, password)).status).toBe(429);
  const known = own.cookies.split('; ').find((each) => each.startsWith('attribution-known=')) ?? '';
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

  // The allowance of known browsers is bounded, too.
  await own.post('/auth/sign-out');
  for (let each = 0; each < 10; each += 1) expect((await enter(own, 'a wrong password')).status).toBe(401);
  expect((await enter(own, password)).status).toBe(429);
});

test('a browser that chose a new password with a link is let try it', async () => {
  const email = 'forgetful@example.com';
  await accept(elsewhere(), await inviteOne(email));
  const enter = (browser: Browser, tried: string) =>
    browser.post('/auth/sign-in/password', { email, password: tried });
  for (let each = 0; each < 11; each += 1) await enter(elsewhere(), 'a wrong password');
  const { token } = await createPasswordLink(db(), null, email, new Date());
  const browser = elsewhere();
  const chosen = 'another good password';
  expect((await browser.post('/auth/password/reset', { token, password: chosen })).status).toBe(200);
  expect((await enter(elsewhere(), chosen)).status).toBe(429);
  expect((await enter(browser, chosen)).status).toBe(200);
});
