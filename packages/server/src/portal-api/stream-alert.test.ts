import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { until } from '../../test/attribution-process.ts';
import type { Browser } from '../../test/browser.ts';
import { findText } from '../../test/find-text.ts';
import { purchase } from '../../test/fixtures.ts';
import { portalUrl, usePortal } from '../../test/portal.ts';
import { type Answer, startService, type TestService } from '../../test/test-service.ts';
import { newRowId, randomBase62, toAccountId } from '../platform/ids.ts';
import { erasePerson } from '../portal/erase-person.ts';
import { hashSecret } from '../portal/stream-alert/alerts.ts';

let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
const portal = await usePortal({ clock });
const { service, db, query, creator, makeMember } = portal;

const at = '?publisher=aurora';
const path = '/portal/v1/stream-alert/purchases';

/** Asks as an overlay does. */
const ask = (secret: string, after: string | null = null, to: TestService = service()): Promise<Answer> =>
  to.call('GET', after === null ? path : `${path}?after=${after}`, {
    key: null,
    headers: { authorization: `Bearer ${secret}` },
  });

async function secretOf(from: Browser): Promise<string> {
  const { status, body } = await from.post(`/stream-alert/address${at}`, {});
  expect(status).toBe(200);
  const [page, secret = ''] = body.address.split('#');
  expect([page, secret]).toEqual([`${portalUrl}/alert`, expect.stringMatching(/^[0-9A-Za-z]{32}$/)]);
  return secret;
}

/** Starts another process of the same installation. */
const another = (): Promise<TestService> =>
  startService({
    beside: service(),
    environment: { PORTAL_URL: portalUrl, SMTP_URL: portal.sink().url, TRUST_PROXY: '127.0.0.1' },
  });

/** Makes overlays show each purchase for a number of seconds. */
async function showFor(from: Browser, showSeconds: number): Promise<void> {
  const settings = { text: '{product}', placement: 'top', showSeconds };
  expect((await from.send('PUT', `/stream-alert${at}`, settings)).status).toBe(200);
}

let people = 0;
/** Creates a creator with a stream alert. */
async function streamer() {
  people += 1;
  const name = `STREAMER${people}`;
  const memberId = await makeMember('moba', name);
  const from = await creator(`streamer${people}@example.com`, memberId);
  return { code: name, memberId, from, secret: await secretOf(from) };
}

/** Opens an overlay. @returns its cursor */
async function opened(secret: string): Promise<string> {
  const { status, body } = await ask(secret);
  expect([status, body.purchases, body.more]).toEqual([200, [], 0]);
  return body.cursor;
}

const sale = (code: string, changes: object = {}) =>
  purchase({ code, transactionDate: clock.now().toISOString(), ...changes });

async function record(...sent: readonly ReturnType<typeof sale>[]): Promise<void> {
  const answer = await portal.record(sent.length === 1 ? sent[0] : sent, { query: '?groupId=moba' });
  expect(answer).toMatchObject({ status: 200 });
}

const productsOf = ({ status, body }: Answer): string[] => {
  expect(status).toBe(200);
  return body.purchases.map(({ product }: { product: string }) => product);
};

/** Adds stream alerts of people without accounts. @returns their secrets */
async function addAlerts(publisherId: string, count: number): Promise<string[]> {
  const secrets = Array.from({ length: count }, () => randomBase62(32));
  const ids = secrets.map(() => newRowId());
  await sql`
    insert into portal_user (user_id, email, created_at)
    select id, id || '@example.com', now() from unnest(${ids}::text[]) as n (id)`.execute(db());
  await sql`
    insert into stream_alert (publisher_id, user_id, secret_hash, created_at, text, placement, show_seconds, seen_at)
    select ${publisherId}, id, secret_hash, now(), '{product}', 'top', 6, now()
    from unnest(${ids}::text[], ${secrets.map(hashSecret)}::bytea[]) as n (id, secret_hash)`.execute(db());
  return secrets;
}

const removeAlerts = (secrets: readonly string[]) =>
  query(sql`delete from stream_alert where secret_hash = any(${secrets.map(hashSecret)}::bytea[])`);

/** Returns true for a 503 that isn't about stream alerts: a busy machine's database responds too late. */
const isBusy = (status: number, body: string): boolean => status === 503 && !body.includes('stream alerts');

/** Asks with all secrets at once, without sockets, until each request is rejected. @returns the rejections so far */
function askAll(secrets: readonly string[], after: string) {
  const rejections: Answer[] = [];
  const all = secrets.map(async (secret) => {
    for (;;) {
      const { statusCode: status, body } = await service().app.inject({
        url: `${path}?after=${after}`,
        headers: { authorization: `Bearer ${secret}` },
      });
      // Nothing was recorded within 20 seconds, or the machine is busy.
      if (status === 200 || isBusy(status, body)) continue;
      rejections.push({ status, body: JSON.parse(body) } as Answer);
      return;
    }
  });
  return { rejections, done: Promise.all(all) };
}

const statusesOf = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).toSorted();

describe('an overlay', () => {
  test('shows a purchase as soon as it is recorded, without anything about the buyer', async () => {
    const { code, secret } = await streamer();
    const other = await streamer();
    await record(sale(code, { description: 'From before' }));
    const cursor = await opened(secret);
    const waiting = ask(secret, cursor);
    const [mine, theirs] = [
      sale(code, { description: 'Battle pass', playerId: 'buyer-7', playerName: 'Bea Buyer' }),
      sale(other.code, { description: 'Not mine' }),
    ];
    await record(theirs);
    await record(mine);
    const answer = await waiting;
    expect(answer.body).toEqual({
      purchases: [{ id: expect.stringMatching(/^[0-9a-f]{12}$/), product: 'Battle pass', code }],
      more: 0,
      cursor: expect.any(String),
      settings: {
        text: 'New purchase with code {code}: {product}',
        placement: 'top',
        showSeconds: 6,
      },
    });
    for (const hidden of ['buyer-7', 'Bea', mine.transactionId, other.code])
      expect(answer.text, hidden).not.toContain(hidden);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('shows each purchase once, in the order of recording, and counts those that it can’t show', async () => {
    const { from, code, secret } = await streamer();
    await showFor(from, 3);
    let cursor = await opened(secret);
    const shown: string[] = [];
    for (const product of ['one', 'two', 'three']) {
      await record(sale(code, { description: product }));
      const answer = await ask(secret, cursor);
      shown.push(...productsOf(answer));
      cursor = answer.body.cursor;
    }
    expect(shown).toEqual(['one', 'two', 'three']);
    await record(...Array.from({ length: 25 }, (_, number) => sale(code, { description: `p${number}` })));
    const many = await ask(secret, cursor);
    expect(productsOf(many)).toEqual(Array.from({ length: 20 }, (_, number) => `p${number + 5}`));
    expect(many.body.more).toBe(5);
    await record(sale(code, { description: 'é'.repeat(200) }));
    expect(productsOf(await ask(secret, many.body.cursor))).toEqual(['é'.repeat(80)]);
  });

  test('that is showing a purchase gets the next ones together, in time to show them after it', async () => {
    const { from, code, secret } = await streamer();
    await showFor(from, 4);
    const cursor = await opened(secret);
    await record(sale(code, { description: 'one' }));
    const first = await ask(secret, cursor);
    const shownAtMs = performance.now();
    const next = ask(secret, first.body.cursor);
    await record(sale(code, { description: 'two' }));
    await sleep(1_500);
    await record(sale(code, { description: 'three' }));
    expect(productsOf(await next)).toEqual(['two', 'three']);
    expect(performance.now() - shownAtMs).toBeGreaterThan(2_900);
  });

  test('doesn’t show test purchases, refunded ones, old ones, or those of other publishers', async () => {
    const { from, code, secret } = await streamer();
    const cursor = await opened(secret);
    const [refunded, refundedByAmount] = [sale(code), sale(code)];
    const old = new Date(clock.now().getTime() - 11 * 60_000).toISOString();
    await record(
      refunded,
      refundedByAmount,
      sale(code, { status: 'Test' }),
      sale(code, { transactionDate: old }),
    );
    expect(await portal.patch(refunded.transactionId, { json: { action: 'Refund' } })).toMatchObject({
      status: 200,
    });
    const amount = { refundId: 'all', reason: 'Refund' };
    expect(await portal.refund(refundedByAmount.transactionId, amount)).toMatchObject({ status: 200 });
    const outsider = await portal.makeOutsider(`${code}-R`);
    const claimed = await from.post('/claims', { authCode: await portal.authCode(outsider) });
    expect(claimed.status).toBe(200);
    const rival = await portal.record(sale(`${code}-R`, { description: 'Elsewhere' }), {
      key: portal.keys().rival,
    });
    expect(rival.status).toBe(200);
    await record(sale(code, { description: 'Real' }));
    expect(productsOf(await ask(secret, cursor))).toEqual(['Real']);
  });

  test('that lost its connection shows what it missed, but nothing that is older than half a minute', async () => {
    const { code, secret } = await streamer();
    const cursor = await opened(secret);
    await record(sale(code, { description: 'Missed' }));
    expect(productsOf(await ask(secret, cursor))).toEqual(['Missed']);
    expect(productsOf(await ask(secret, cursor)), 'the response was lost').toEqual(['Missed']);
    aheadMs = 60_000;
    onTestFinished(() => {
      aheadMs = 0;
    });
    const waiting = ask(secret, cursor);
    await query(sql`update stream_alert set tested_at = ${clock.now()}`);
    expect((await waiting).body.purchases, 'only the test').toEqual([
      { id: expect.stringMatching(/^t/), product: 'Test', code: null },
    ]);
  });

  test('shows nothing of an account once it is disconnected', async () => {
    const { code, memberId, secret, from } = await streamer();
    const second = `${code}-B`;
    const otherId = await makeMember('moba', second);
    expect(await from.post('/claims', { authCode: await portal.authCode(otherId) })).toMatchObject({
      status: 200,
    });
    const cursor = await opened(secret);
    expect(await (await portal.owner()).ask('DELETE', `/members/${memberId}/portal`)).toMatchObject({
      status: 200,
    });
    await record(sale(code, { description: 'Disconnected' }));
    await record(sale(second, { description: 'Still mine' }));
    expect(productsOf(await ask(secret, cursor))).toEqual(['Still mine']);
    expect(await (await portal.owner()).ask('DELETE', `/members/${otherId}/portal`)).toMatchObject({
      status: 200,
    });
    expect(await ask(secret, cursor), 'after the last account').toMatchObject({ status: 401 });
  });

  test('needs its secret, and a cursor of ours', async () => {
    const { from, secret } = await streamer();
    const send = (headers: Record<string, string>, search = '') =>
      service().call('GET', `${path}${search}`, { key: null, headers });
    for (const headers of [
      {},
      { authorization: `Bearer ${randomBase62(32)}` },
      { authorization: `Bearer ${secret}x` },
      { authorization: secret },
      { cookie: from.cookies },
    ] as Record<string, string>[]) {
      const { status, body } = await send(headers);
      expect([status, body.code, body.message]).toEqual([
        401,
        'Unauthorized',
        "This address doesn't work anymore. Copy a new one from the creators' portal.",
      ]);
    }
    const authorization = `Bearer ${secret}`;
    for (const search of ['?after=A', '?after=1.%00', `?after=1${'.a'.repeat(61)}`, '?secret=x'])
      expect([search, (await send({ authorization }, search)).status]).toEqual([search, 400]);
    expect(await findText(service().testDatabase.connection, secret)).toEqual([]);
  });
});

describe('the creator', () => {
  test('sees whether an overlay is connected, changes it, tries it, and removes it', async () => {
    const memberId = await makeMember('moba', 'CHANGER');
    const from = await creator('changer@example.com', memberId);
    const shown = async () => (await from.get(`/stream-alert${at}`)).body.alert;
    expect(await shown()).toBeNull();
    const settings = { text: 'Thanks for {product}!', placement: 'bottom', showSeconds: 20 };
    for (const answer of [
      await from.send('PUT', `/stream-alert${at}`, settings),
      await from.post(`/stream-alert/test${at}`, {}),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'NotFound']);
    expect((await from.send('DELETE', `/stream-alert${at}`)).body).toEqual({ alert: null });

    const secret = await secretOf(from);
    expect(await shown()).toMatchObject({ seenAt: null, isConnected: false });
    for (const wrong of [
      { ...settings, text: '' },
      { ...settings, text: 'x'.repeat(121) },
      { ...settings, text: 'a\u202eb' },
      { ...settings, placement: 'left' },
      { ...settings, showSeconds: 2 },
      { ...settings, showSeconds: 21 },
      { ...settings, showSeconds: 4.5 },
      { ...settings, more: 1 },
    ])
      expect((await from.send('PUT', `/stream-alert${at}`, wrong)).status).toBe(400);
    const changed = await from.send('PUT', `/stream-alert${at}`, settings);
    expect([changed.status, changed.body.alert]).toEqual([200, expect.objectContaining(settings)]);
    const { body } = await ask(secret);
    expect(body.settings).toEqual(settings);
    expect(await shown()).toMatchObject({ isConnected: true, seenAt: expect.any(String) });

    const waiting = ask(secret, body.cursor);
    expect((await from.post(`/stream-alert/test${at}`, {})).status).toBe(200);
    const tested = await waiting;
    expect(tested.body.purchases).toEqual([{ id: expect.any(String), product: 'Test', code: null }]);
    const again = ask(secret, tested.body.cursor);
    expect((await from.send('DELETE', `/stream-alert${at}`)).body).toEqual({ alert: null });
    expect((await again).status, 'while it is waiting').toBe(401);
    expect((await ask(secret)).status).toBe(401);
    expect(await shown()).toBeNull();
  });

  test('replaces the address, which ends the old one in every process', async () => {
    const { from, secret, code } = await streamer();
    const elsewhere = await another();
    onTestFinished(() => elsewhere.close());
    const cursor = await opened(secret);
    const here = ask(secret, cursor);
    const there = ask(secret, cursor, elsewhere);
    const next = await secretOf(from);
    for (const { status, body } of [await here, await there, await ask(secret)])
      expect([status, body.code]).toEqual([401, 'Unauthorized']);
    const after = await opened(next);
    const waiting = ask(next, after, elsewhere);
    await record(sale(code, { description: 'Recorded at another process' }));
    const answer = await waiting;
    expect(productsOf(answer)).toEqual(['Recorded at another process']);
    const test = ask(next, answer.body.cursor, elsewhere);
    await from.post(`/stream-alert/test${at}`, {});
    expect(productsOf(await test)).toEqual(['Test']);
  });

  test('who is erased has no stream alert anymore', async () => {
    const person = await portal.signedIn('gone@example.com');
    expect(await person.get(`/stream-alert${at}`)).toMatchObject({ status: 404 });
    const { from, secret, memberId } = await streamer();
    await portal.allowFile(from);
    const { tables } = (await from.get('/access-file')).body;
    const inFile = tables.find(({ table }: { table: string }) => table === 'stream_alert');
    expect(inFile.rows).toMatchObject([{ publisherId: 'aurora', text: expect.any(String) }]);
    expect(JSON.stringify(inFile)).not.toContain(hashSecret(secret).toString('hex'));
    await db()
      .transaction()
      .execute((tx) => erasePerson(tx, [toAccountId(memberId)]));
    expect((await ask(secret)).status).toBe(401);
    expect(await query(sql`select 1 from stream_alert where secret_hash = ${hashSecret(secret)}`)).toEqual(
      [],
    );
  });
});

describe('the bounds', () => {
  test('three requests may wait with one secret, and a client that leaves makes room', async () => {
    const { from, code, secret } = await streamer();
    const cursor = await opened(secret);
    const first = askAll(Array(4).fill(secret), cursor);
    await until('the rejection', () => first.rejections.length > 0);
    expect(first.rejections[0]?.body).toMatchObject({
      code: 'RateLimited',
      message: 'This stream alert is already open 3 times. Close one of them.',
    });
    const next = await secretOf(from);
    await first.done;
    expect(statusesOf(first.rejections)).toEqual([401, 401, 401, 429]);

    const after = await opened(next);
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${next}` };
    const { promise: isFull, resolve } = Promise.withResolvers<void>();
    const gone = [1, 2, 3, 4].map(async () => {
      const url = `${service().url}${path}?after=${after}`;
      const answer = await fetch(url, { headers, signal: leaving.signal }).catch(() => null);
      if (answer?.status === 429) resolve();
      return answer?.status ?? 0;
    });
    await isFull;
    leaving.abort();
    expect((await Promise.all(gone)).toSorted()).toEqual([0, 0, 0, 429]);
    const patiently = async (): Promise<Answer> => {
      for (;;) {
        const answer = await ask(next, after);
        if (answer.status !== 429) return answer;
        await sleep(200);
      }
    };
    const three = [patiently(), patiently(), patiently()];
    await record(sale(code, { description: 'For all' }));
    for (const answer of await Promise.all(three)) expect(productsOf(answer)).toEqual(['For all']);
  });

  test('500 may wait for one publisher, and 600 in one process', async () => {
    const cursor = `${clock.now().getTime().toString(36)}`;
    const [one, two] = await Promise.all([addAlerts('full-1', 501), addAlerts('full-2', 101)]);
    const first = askAll(one, cursor);
    await until('the first rejection', () => first.rejections.length > 0);
    expect(first.rejections[0]?.body).toMatchObject({
      code: 'RateLimited',
      message: 'Too many stream alerts of this publisher are open. Try again in a few seconds.',
    });
    const rest = askAll(two, cursor);
    // If a request ends while the others are still coming in, it may be the one that is rejected.
    await until('the next rejection', () => first.rejections.length + rest.rejections.length > 1);
    expect((first.rejections[1] ?? rest.rejections[0])?.body).toMatchObject({
      code: 'Unavailable',
      message: 'Too many stream alerts are connected. Try again in a few seconds.',
    });
    await removeAlerts([...one, ...two]);
    await Promise.all([first.done, rest.done]);
    expect(statusesOf([...first.rejections, ...rest.rejections])).toEqual([
      ...Array(600).fill(401),
      429,
      503,
    ]);
  });

  test('all overlays of a publisher share one read in each round', async () => {
    const secrets = await addAlerts('aurora', 40);
    const statements = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => statements.mockRestore());
    const reads = (): number =>
      statements.mock.calls.filter(([asked]: unknown[]) =>
        (typeof asked === 'string' ? asked : (asked as { text: string }).text).includes(
          'partition by membership_id',
        ),
      ).length;
    const startedMs = performance.now();
    const { rejections, done } = askAll(secrets, clock.now().getTime().toString(36));
    await until('several rounds', () => reads() >= 4);
    const elapsedMs = performance.now() - startedMs;
    expect(reads()).toBeLessThanOrEqual(elapsedMs / 1_000 + 2);
    await removeAlerts(secrets);
    await done;
    expect(new Set(statusesOf(rejections))).toEqual(new Set([401]));
  });

  test('requests that repeat without waiting are limited', async () => {
    const { secret } = await streamer();
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const { statusCode, body } = await service().app.inject({
          url: path,
          headers: { authorization: `Bearer ${secret}` },
        });
        return isBusy(statusCode, body) ? 'busy' : statusCode;
      }),
    );
    expect(new Set(statuses.filter((status) => status !== 'busy'))).toEqual(new Set([200, 429]));
  });

  test('a service that stops ends the waiting requests at once', async () => {
    const { secret } = await streamer();
    const stopping = await another();
    const cursor = await opened(secret);
    const own = sql`secret_hash = ${hashSecret(secret)}`;
    const seen = () => query(sql`select 1 from stream_alert where ${own} and seen_at is not null`);
    await query(sql`update stream_alert set seen_at = null where ${own}`);
    const waiting = ask(secret, cursor, stopping);
    await until('the request', async () => (await seen()).length === 1);
    const startedMs = performance.now();
    const closed = stopping.close();
    expect((await waiting).body).toMatchObject({ purchases: [], more: 0 });
    await closed;
    expect(performance.now() - startedMs, 'without the 20 seconds of the request').toBeLessThan(12_000);
  });
});
