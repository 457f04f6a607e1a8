import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { portalBrowser, portalOrigin, portalUrl, usePortal } from '../../test/portal.ts';
import { type CrashingDatabase, openCrashingDatabase } from '../../test/simulation/crashing-database.ts';
import { crashMessage } from '../../test/simulation/life.ts';
import { signIn } from '../../test/staff.ts';
import { startService } from '../../test/test-service.ts';
import { createCode, enterCode, enterLink } from '../portal/codes.ts';

let nowMs = Date.UTC(2026, 10, 28, 12);
const clock = { now: () => new Date(nowMs) };
const later = (ms: number): void => {
  nowMs += ms;
};
const minuteMs = 60_000;
const dayMs = 86_400_000;

const portal = await usePortal({ clock });
const { service, sink, browser, nextMail, signedIn, query, db } = portal;

const request = async (email: string, from: Browser): Promise<number> =>
  (await from.post('/auth/codes', { email })).status;
const sessions = async (): Promise<number> =>
  Number((await query(sql<{ n: bigint }>`select count(*) as n from portal_session`))[0]?.n);

describe('a code', () => {
  test('is the same for an unknown address, signs in once, and is stored only as a hash', async () => {
    const creator = browser();
    const answer = await creator.post('/auth/codes', { email: ' First@Example.com ' });
    expect(answer).toMatchObject({ status: 200, body: {} });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const mail = await nextMail();
    expect(mail).toMatchObject({ to: 'first@example.com', code: expect.stringMatching(/^.{4}-.{4}$/) });
    expect(mail.link.href.startsWith(`${portalUrl}/enter#`)).toBe(true);
    const stored = JSON.stringify(await query(sql`select * from portal_code`));
    expect(stored).not.toContain(mail.code);
    expect(stored).not.toContain(mail.token);
    expect(await query(sql`select 1 from portal_user where email = 'first@example.com'`)).toEqual([]);

    const typed = mail.code.toLowerCase().replace('-', '');
    const entered = await creator.post('/auth/codes/enter', { code: typed });
    expect(entered).toMatchObject({ status: 200, body: { email: 'first@example.com' } });
    expect(entered.headers.getSetCookie()[0]).toMatch(
      /^attribution-creators=\w{40}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(await creator.get('/session')).toMatchObject({
      status: 200,
      body: { email: 'first@example.com' },
    });
    expect(await creator.post('/auth/codes/enter', { code: mail.code })).toMatchObject({ status: 401 });
    expect(await browser().post('/auth/links/enter', { token: mail.token })).toMatchObject({ status: 401 });

    // An address that has signed in before gets the same answer as one that hasn't.
    const [known, unknown] = [browser(), browser()];
    const answers = [
      await known.post('/auth/codes', { email: 'first@example.com' }),
      await unknown.post('/auth/codes', { email: 'never@example.com' }),
    ];
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, '{}'],
      [200, '{}'],
    ]);
    expect([(await nextMail()).to, (await nextMail()).to].sort()).toEqual([
      'first@example.com',
      'never@example.com',
    ]);
  });

  test('works only in the browser that requested it; its link works in any browser, and uses up both', async () => {
    const [asked, phone] = [browser(), browser()];
    await request('two@example.com', asked);
    const mail = await nextMail();
    expect(await phone.post('/auth/codes/enter', { code: mail.code })).toMatchObject({
      status: 401,
      body: { code: 'Unauthorized', message: expect.stringContaining('requested in another browser') },
    });
    await request('other@example.com', phone);
    await nextMail();
    expect(await phone.post('/auth/codes/enter', { code: mail.code })).toMatchObject({ status: 401 });
    expect(await phone.post('/auth/links/enter', { token: mail.token })).toMatchObject({
      status: 200,
      body: { email: 'two@example.com' },
    });
    expect(await asked.post('/auth/codes/enter', { code: mail.code })).toMatchObject({ status: 401 });
    expect(await asked.get('/session')).toMatchObject({ status: 401, body: { code: 'Unauthorized' } });
  });

  test('is not used up by a scanner that opens the link, with any method that opens a page', async () => {
    const asked = browser();
    await request('scanned@example.com', asked);
    const { link, code } = await nextMail();
    for (const path of [link.pathname, '/portal/v1/auth/links/enter', '/portal/v1/auth/codes/enter'])
      for (const method of ['GET', 'HEAD', 'OPTIONS'])
        await fetch(service().url + path + link.hash, { method, redirect: 'manual' });
    // A scanner that runs the page's scripts has no page of ours that would send the request by itself.
    const forged = await fetch(`${service().url}/portal/v1/auth/links/enter`, {
      method: 'POST',
      body: new URLSearchParams({ token: link.hash.slice(1) }),
    });
    expect(forged.status).toBe(400);
    expect(await asked.post('/auth/codes/enter', { code })).toMatchObject({ status: 200 });
  });

  test('expires after 15 minutes, and several are valid at a time', async () => {
    const asked = browser();
    await request('many@example.com', asked);
    const first = await nextMail();
    later(10 * minuteMs);
    await request('many@example.com', asked);
    const second = await nextMail();
    later(5 * minuteMs);
    expect(await asked.post('/auth/codes/enter', { code: first.code })).toMatchObject({ status: 401 });
    expect(await browser().post('/auth/links/enter', { token: first.token })).toMatchObject({ status: 401 });
    expect(await asked.post('/auth/codes/enter', { code: second.code })).toMatchObject({ status: 200 });
  });

  test('ends after ten tries in its browser, even if they are concurrent; the link still works', async () => {
    const [asked, other] = [browser(), browser()];
    await request('guessed@example.com', asked);
    const mail = await nextMail();
    await request('guessed@example.com', other);
    const otherMail = await nextMail();
    const guesses = Array.from({ length: 10 }, () => asked.post('/auth/codes/enter', { code: '2222-2222' }));
    for (const guess of await Promise.all(guesses)) expect(guess.status).toBe(401);
    expect(await asked.post('/auth/codes/enter', { code: mail.code })).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining('Too many wrong codes') },
    });
    expect(await other.post('/auth/codes/enter', { code: otherMail.code })).toMatchObject({ status: 200 });
    expect(await asked.post('/auth/links/enter', { token: mail.token })).toMatchObject({ status: 200 });
  });

  test('starts one session if it is used many times at once', async () => {
    const asked = browser();
    await request('race@example.com', asked);
    const { code, token } = await nextMail();
    const before = await sessions();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0
          ? asked.post('/auth/codes/enter', { code })
          : browser().post('/auth/links/enter', { token }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
    expect(await sessions()).toBe(before + 1);
  });

  test.each([
    [{}],
    [{ code: 7 }],
    [{ code: 'ABCD' }],
    [{ code: 'OIL0-1111' }],
    [{ code: 'a\0b' }],
    [{ code: 'ABCD-EFGH', email: 'x@example.com' }],
  ])('is rejected if it is %j', async (json) => {
    const { status, body } = await browser().post('/auth/codes/enter', json);
    expect([400, 401]).toContain(status);
    expect(body.message).toBeTruthy();
  });

  test.each(['', 'x', 'a@b@c', 'a b@example.com', `${'x'.repeat(300)}@example.com`, 'a\u202e@example.com'])(
    'is not sent to %j',
    async (email) => {
      expect(await browser().post('/auth/codes', { email })).toMatchObject({
        status: 400,
        body: { code: 'InvalidInput' },
      });
    },
  );
});

describe('other people', () => {
  test('can neither flood an inbox nor lock out a browser that has signed in', async () => {
    const email = 'victim@example.com';
    const creator = await signedIn(email);
    const mails = sink().mails.length;
    const other = browser();
    const statuses: number[] = [];
    for (let each = 0; each < 4; each += 1) statuses.push(await request(email, other));
    expect(statuses).toEqual([200, 200, 200, 429]);
    const many: number[] = [];
    for (let each = 0; each < 12; each += 1) many.push(await request(email, browser()));
    expect(many.filter((status) => status === 200)).toHaveLength(6); // ten in all, with the creator's own
    for (let each = mails; each < sink().mails.length; each += 1) await nextMail();
    // The session is not affected, and after signing out, the browser still gets codes.
    expect(await creator.get('/session')).toMatchObject({ status: 200 });
    expect(await creator.send('DELETE', '/session')).toMatchObject({ status: 200 });
    expect(await creator.post('/auth/codes', { email })).toMatchObject({ status: 200 });
    for (;;) {
      const { code, to } = await nextMail();
      expect(to).toBe(email);
      const { status } = await creator.post('/auth/codes/enter', { code });
      if (status === 200) break;
    }
    later(2 * 3_600_000);
  });

  test('cannot send requests from other sites, or without an origin', async () => {
    const from = browser();
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: portalOrigin, 'sec-fetch-site': 'cross-site' },
      { origin: service().url, 'sec-fetch-site': 'same-origin' },
      {},
    ])
      expect(
        await from.send('POST', '/auth/codes', { email: 'x@example.com' }, headers as never),
      ).toMatchObject({
        status: 403,
        body: { code: 'Forbidden' },
      });
  });
});

describe('a session', () => {
  test('ends after 14 days without use, and after 30 days in any case', async () => {
    const idle = await signedIn('idle@example.com');
    later(13 * dayMs);
    expect(await idle.get('/session')).toMatchObject({ status: 200 });
    later(13 * dayMs);
    expect(await idle.get('/session')).toMatchObject({ status: 200 });
    later(4 * dayMs);
    expect(await idle.get('/session')).toMatchObject({ status: 401 });
    const unused = await signedIn('idle@example.com');
    later(14 * dayMs);
    expect(await unused.get('/session')).toMatchObject({ status: 401 });
  });

  test('is listed and ended by its own person only', async () => {
    const [one, two] = [await signedIn('listed@example.com'), await signedIn('listed@example.com')];
    const intruder = await signedIn('unlisted@example.com');
    const { rows } = (await one.get('/sessions')).body;
    expect(rows).toHaveLength(2);
    expect(rows.filter(({ isThis }: { isThis: boolean }) => isThis)).toHaveLength(1);
    const other = rows.find(({ isThis }: { isThis: boolean }) => !isThis).sessionId;
    expect(await intruder.send('DELETE', `/sessions/${other}`)).toMatchObject({ status: 404 });
    expect(await two.get('/session')).toMatchObject({ status: 200 });
    expect(await one.send('DELETE', `/sessions/${other}`)).toMatchObject({ status: 200 });
    expect(await one.send('DELETE', `/sessions/${other}`)).toMatchObject({ status: 404 });
    expect(await two.get('/session')).toMatchObject({ status: 401 });
    const cookie = one.cookies;
    expect(await one.send('DELETE', '/session')).toMatchObject({ status: 200 });
    expect(one.cookies).not.toMatch(/attribution-creators=/);
    const replayed = await fetch(`${service().url}/portal/v1/session`, { headers: { cookie } });
    expect(replayed.status).toBe(401);
  });

  test('replaces the earlier session of its browser', async () => {
    const shared = await signedIn('earlier@example.com');
    const before = shared.cookies;
    await request('after@example.com', shared);
    expect(await shared.post('/auth/codes/enter', { code: (await nextMail()).code })).toMatchObject({
      status: 200,
    });
    expect((await shared.get('/session')).body.email).toBe('after@example.com');
    const old = await fetch(`${service().url}/portal/v1/session`, { headers: { cookie: before } });
    expect(old.status).toBe(401);
  });

  test('is limited in its requests', async () => {
    const busy = await signedIn('busy@example.com');
    const answers = await Promise.all(Array.from({ length: 70 }, () => busy.get('/session')));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  test('of staff is refused in the portal, and a creator’s by the admin API', async () => {
    const staff = await signIn(service(), 'owner');
    const creator = await signedIn('staff@example.com');
    const token = /attribution-creators=(\w+)/.exec(creator.cookies)?.[1] ?? '';
    const staffToken = staff.headers.cookie?.replace(/^attribution=/, '') ?? '';
    const headers = { origin: portalOrigin, 'sec-fetch-site': 'same-origin' };
    for (const cookie of [staff.headers.cookie ?? '', `attribution-creators=${staffToken}`])
      expect(
        (await service().call('GET', '/portal/v1/session', { key: null, headers: { ...headers, cookie } }))
          .status,
      ).toBe(401);
    for (const cookie of [creator.cookies, `attribution=${token}`])
      expect(
        (
          await service().call('GET', '/admin/v1/me', {
            key: null,
            headers: { cookie, origin: service().url },
          })
        ).status,
      ).toBe(401);
    const { backend } = portal.keys();
    expect((await service().call('GET', '/portal/v1/session', { key: backend, headers })).status).toBe(401);
  });
});

describe('killed before any of its statements', () => {
  let crashing: CrashingDatabase;
  beforeAll(() => {
    crashing = openCrashingDatabase(service().testDatabase.connection);
  });
  afterAll(() => crashing.close());

  test.each(['code', 'link'] as const)('a sign-in with a %s leaves the code usable', async (kind) => {
    const secret = Buffer.alloc(32, 7);
    const email = `killed-${kind}@example.com`;
    const from = { address: '10.9.9.9', userAgent: '', tokens: [] };
    const mailed = await createCode(db(), { email, browser: 'b', secret, now: clock.now() });
    const before = await sessions();
    for (let statement = 1; ; statement += 1) {
      const at = crashing.db({ beforeStatement: statement });
      const typed = { code: mailed.code, browser: 'b', secret };
      const outcome = await (kind === 'code'
        ? enterCode(at, typed, from, clock.now())
        : enterLink(at, mailed.linkToken, from, clock.now())
      ).then(
        ({ email: entered }) => entered,
        (error: unknown) => String(error),
      );
      if (outcome === email) {
        expect(statement).toBeGreaterThan(4);
        break;
      }
      expect(outcome).toMatch(crashMessage);
      expect(await sessions()).toBe(before);
    }
    expect(await sessions()).toBe(before + 1);
  });
});

test('over HTTPS, cookies are bound to the host', async () => {
  const secure = await startService({
    clock,
    beside: service(),
    environment: { PORTAL_URL: 'https://me.example.com', SMTP_URL: sink().url },
  });
  try {
    const from = portalBrowser(secure);
    const headers = { origin: 'https://me.example.com', 'sec-fetch-site': 'same-origin' };
    await from.send('POST', '/auth/codes', { email: 'secure@example.com' }, headers);
    const mail = await nextMail2();
    const entered = await from.send('POST', '/auth/links/enter', { token: mail }, headers);
    expect(entered.headers.getSetCookie()[0]).toMatch(
      /^__Host-attribution-creators=\w{40}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(await from.send('GET', '/session', undefined, headers)).toMatchObject({ status: 200 });
  } finally {
    await secure.close();
  }
});

/** Returns the token in the next email, whose link starts with https. */
async function nextMail2(): Promise<string> {
  const mail = (await sink().next()).replaceAll('=\r\n', '').replaceAll('=3D', '=');
  return /https:\/\/me\.example\.com\/creators\/enter#(\w+)/.exec(mail)?.[1] ?? '';
}

test('while PORTAL_URL is not set, the portal is off', async () => {
  const off = await startService({ beside: service() });
  try {
    const from = portalBrowser(off);
    for (const path of ['/session', '/accounts', '/home?publisher=aurora'])
      expect(await from.get(path)).toMatchObject({
        status: 404,
        body: { message: expect.stringContaining('PORTAL_URL') },
      });
    expect(await from.post('/auth/codes', { email: 'x@example.com' })).toMatchObject({ status: 404 });
  } finally {
    await off.close();
  }
});
