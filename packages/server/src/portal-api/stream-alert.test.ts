import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findText } from '../../test/find-text.ts';
import { at, path, useStreamAlerts } from '../../test/stream-alerts.ts';
import { randomBase62, toAccountId } from '../platform/ids.ts';
import { erasePerson } from '../portal/erase-person.ts';
import { hashSecret } from '../portal/stream-alert/alerts.ts';

const { portal, time, clock, ask, secretOf, another, showFor, streamer, opened, sale, record, productsOf } =
  await useStreamAlerts();
const { service, db, query, creator, makeMember } = portal;

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

  test('shows nothing of an import of old purchases, and what is sold meanwhile', async () => {
    const { code, secret } = await streamer();
    const cursor = await opened(secret);
    const waiting = ask(secret, cursor);
    for (let day = 1; day <= 3; day += 1) {
      const transactionDate = new Date(clock.now().getTime() - day * 86_400_000).toISOString();
      await record(...Array.from({ length: 100 }, () => sale(code, { transactionDate, description: 'Old' })));
    }
    await record(sale(code, { description: 'New' }));
    const { body } = await waiting;
    expect([body.purchases.map(({ product }: { product: string }) => product), body.more]).toEqual([
      ['New'],
      0,
    ]);
  });

  test('that lost its connection shows what it missed, but nothing that is older than half a minute', async () => {
    const { code, secret } = await streamer();
    const cursor = await opened(secret);
    await record(sale(code, { description: 'Missed' }));
    expect(productsOf(await ask(secret, cursor))).toEqual(['Missed']);
    expect(productsOf(await ask(secret, cursor)), 'the response was lost').toEqual(['Missed']);
    time.aheadMs = 60_000;
    onTestFinished(() => {
      time.aheadMs = 0;
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
