import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Shop, useConnectors } from '../../../test/connectors.ts';
import {
  respond,
  type SteamOrder,
  type SteamServer,
  startSteam,
  steamOrder,
  steamTime,
} from '../../../test/steam-server.ts';

const key = '0123456789ABCDEF0123456789ABCDEF';
let steam: SteamServer;
let now = new Date('2026-05-02T12:00:00Z');
beforeAll(async () => {
  steam = await startSteam(key);
});
afterAll(() => steam.close());

const connectors = useConnectors({ now: () => now }, () => ({ STEAM_URL: steam.url }));
const { shop, poll, work, outcomes, events, get, list, owner, service, keys } = connectors;

const minuteMs = 60_000;
const later = (ms: number): void => {
  now = new Date(now.getTime() + ms);
};

let apps = 1_000;
/** Adds a connector of an app of its own. */
async function steamShop(settings: Record<string, unknown> = {}): Promise<Shop & { app: string }> {
  apps += 1;
  const app = String(apps);
  const added = await shop('steam', { secret: key, settings: { steamAppId: app, ...settings } });
  return { ...added, app };
}

const report = (app: string, ...orders: SteamOrder[]): void => {
  steam.reports.set(app, [...(steam.reports.get(app) ?? []), ...orders]);
};

/** Names an order with the publisher's key. */
const name = (to: Shop, orderId: string, body: unknown) =>
  service().call('PUT', `/v1/connectors/${to.id}/orders/${orderId}`, { key: keys().backend, json: body });

/** Waits a minute, polls, and works on what came. */
async function minute(): Promise<number> {
  later(minuteMs);
  const stored = await poll();
  await work();
  return stored;
}

/** Returns the rows of an order's purchase. */
const rowsOf = async (order: SteamOrder) => {
  const { body } = await get(`steam:${order.orderid}`, { query: '?include=meta' });
  return body.map((each: { transaction: unknown }) => each.transaction);
};

const read = async ({ id }: Shop) => (await owner()('GET', `/connectors/${id}`)).body;

describe('the report', () => {
  test('is read each minute, and an order that was named is recorded once, without VAT', async () => {
    const to = await steamShop();
    const order = steamOrder(now);
    expect((await name(to, order.orderid, { code: 'alice', playerId: 'player-7' })).status).toBe(200);
    report(to.app, order, steamOrder(now, { status: 'Failed' }), steamOrder(now, { status: 'Init' }));
    expect(await minute()).toBe(1);
    expect(await minute()).toBe(0);
    expect(await outcomes(to)).toEqual(['Done Recorded']);
    expect(await rowsOf(order)).toMatchObject([
      {
        code: 'ALICE',
        subtotal: 999,
        total: 1_189,
        skuId: '100',
        playerId: 'player-7',
        origin: 'storefrontCode',
      },
      {
        code: 'ALICE',
        subtotal: 200,
        total: 238,
        skuId: '101',
        transactionDate: order.timecreated.replace('Z', '.000Z'),
      },
    ]);
    expect(steam.requests).toContainEqual(expect.objectContaining({ sandbox: false, app: to.app, key }));
    expect((await list('origin=storefrontCode')).body).toHaveLength(2);
  });

  test('is read again from a day before its latest change, and polled at most once a minute', async () => {
    const to = await steamShop();
    later(2 * 86_400_000);
    report(to.app, steamOrder(now));
    await minute();
    const asked = (): string[] =>
      steam.requests.filter(({ app }) => app === to.app).map(({ since }) => since);
    const [first] = asked();
    await poll();
    expect(asked()).toEqual([first]);
    await minute();
    expect(asked().at(-1)).toBe(steamTime(new Date(now.getTime() - 86_400_000 - 2 * minuteMs)));
  });

  test('has no orders from before the connector was added, not even at later polls', async () => {
    const old = steamOrder(new Date(now.getTime() - 3_600_000));
    const to = await steamShop();
    report(to.app, old, steamOrder(now));
    for (let polls = 0; polls < 3; polls += 1) await minute();
    const asked = steam.requests.filter(({ app }) => app === to.app).map(({ since }) => since);
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.filter((since) => since <= old.time)).toEqual([]);
    expect(await outcomes(to, old.orderid)).toEqual([]);
  });

  test.each([
    ['Refunded', 'Refund', 'Done Refunded'],
    ['Chargedback', 'Chargeback', 'Done ChargedBack'],
    ['RefundedSuspectedFraud', 'Fraud', 'Done Refunded'],
    ['RefundedFriendlyFraud', 'Fraud', 'Done Refunded'],
  ])('%s takes back everything as %s, even if the sale was never seen', async (status, expected, outcome) => {
    const to = await steamShop();
    const [seen, unseen] = [steamOrder(now), steamOrder(now, { status })];
    for (const { orderid } of [seen, unseen]) await name(to, orderid, { code: 'ALICE' });
    report(to.app, seen);
    await minute();
    steam.reports.set(to.app, [{ ...seen, status, time: steamTime(now) }, unseen]);
    await minute();
    for (const order of [seen, unseen]) {
      expect(await outcomes(to, order.orderid)).toEqual(['Done Recorded', outcome]);
      const rows = await rowsOf(order);
      expect(rows.map((row: { status: string }) => row.status)).toEqual([expected, expected]);
    }
  });

  test('a refund of an item takes back its price, each of two equal items once, and the rest with the order', async () => {
    const to = await steamShop();
    const item = { itemid: 7, qty: 1, amount: 400, vat: 0, itemstatus: 'Succeeded' };
    const back = { ...item, itemstatus: 'Refunded' };
    const order = steamOrder(now, { items: [item, item, item] });
    await name(to, order.orderid, { code: 'ALICE' });
    const refunded = async (): Promise<number> =>
      (await rowsOf(order)).reduce(
        (sum: number, row: { refundedAmount?: number }) => sum + (row.refundedAmount ?? 0),
        0,
      );
    for (const [items, status, expected] of [
      [[item, item, item], 'Succeeded', 0],
      [[back, item, item], 'PartialRefund', 400],
      [[item, back, item], 'PartialRefund', 400],
      [[item, back, back], 'PartialRefund', 800],
      [[back, back, back], 'Refunded', 1_200],
    ] as const) {
      steam.reports.set(to.app, [{ ...order, status, items: [...items], time: steamTime(now) }]);
      await minute();
      expect(await refunded(), status).toBe(expected);
    }
  });

  test('pages while answers are full, saves its progress, and continues after a failure', async () => {
    const to = await steamShop();
    const order = (second: number): SteamOrder =>
      steamOrder(now, { time: steamTime(new Date(now.getTime() + second * 10)) });
    const all = Array.from({ length: 1_700 }, (_, second) => order(second));
    report(to.app, ...all);
    later(3_600_000);
    const since = all[999]?.time;
    steam.next(
      to.app,
      (response) => {
        respond(response, 200, { response: { result: 'OK', params: { orders: all.slice(0, 1_000) } } });
      },
      (response) => respond(response, 500, 'down'),
    );
    expect(await poll()).toBe(1_000);
    expect((await read(to)).poll).toMatchObject({
      failures: 1,
      problem: 'The provider responded with status 500.',
    });
    later(2 * minuteMs);
    expect(await poll()).toBe(700);
    expect(steam.requests.filter(({ app }) => app === to.app).at(-1)?.since).toBe(since);
    expect((await read(to)).poll).toMatchObject({ failures: 0, problem: null, failingSince: null });
  });

  test('the sandbox of a test account is another interface, and its orders are tests', async () => {
    const to = await steamShop({ isTestAccount: true });
    const order = steamOrder(now);
    await name(to, order.orderid, { code: 'ALICE' });
    report(`sandbox ${to.app}`, order);
    await minute();
    expect(steam.requests).toContainEqual(expect.objectContaining({ sandbox: true, app: to.app }));
    expect(steam.requests).not.toContainEqual(expect.objectContaining({ sandbox: false, app: to.app }));
    expect((await rowsOf(order))[0]).toMatchObject({ status: 'Test' });
  });

  test('an order without an id is known by its transaction, and counts as a renewal', async () => {
    const [off, on] = [await steamShop(), await steamShop({ renewalMonths: 1, usesPlayerCode: true })];
    const renewal = steamOrder(now, { orderid: '0' });
    await service().call('PUT', '/v1/attributions/players/76561197972751825/code', {
      key: keys().backend,
      json: { code: 'BOB', at: '2026-05-02T11:00:00Z' },
    });
    for (const { app } of [off, on]) report(app, renewal);
    await minute();
    expect(await outcomes(off, renewal.transid)).toEqual(['Ignored Renewal']);
    expect(await outcomes(on, renewal.transid)).toEqual(['Done Recorded']);
    expect((await get(`steam:${renewal.transid}`)).body[0].transaction.code).toBe('BOB');
  });

  test('states that are not known yet are shown, and amounts that are not whole are never guessed', async () => {
    const to = await steamShop();
    const yen = [{ itemid: 1, qty: 1, amount: 1_250, vat: 0, itemstatus: 'Succeeded' }];
    report(to.app, steamOrder(now, { status: 'Settled' }), steamOrder(now, { currency: 'JPY', items: yen }));
    await minute();
    expect((await outcomes(to)).toSorted()).toEqual(['Failed Unreadable', 'Ignored Type']);
  });
});

describe('failures', () => {
  const failing = async (answer: Parameters<SteamServer['next']>[1]) => {
    const to = await steamShop();
    later(minuteMs);
    steam.next(to.app, answer);
    expect(await poll()).toBe(0);
    return { to, poll: (await read(to)).poll };
  };

  test.each([
    ['a rejected key', 403, 'Forbidden', /rejected the key \(status 403\)/],
    ['a limit', 429, 'slow', /limits requests/],
    ['an error of the server', 502, '', /status 502/],
    ['a redirect', 302, '', /status 302/],
    ['no JSON', 200, '<html>', /not JSON/],
    [
      'a failure',
      200,
      { response: { result: 'Failure', error: { errorcode: '3', errordesc: 'Invalid parameter' } } },
      /error 3: Invalid parameter/,
    ],
    ['no report', 200, { response: {} }, /error none/],
    ['null', 200, 'null', /error none/],
    [
      'a time that is none',
      200,
      { response: { result: 'OK', params: { orders: [{ time: 'x' }] } } },
      /time is not a time/,
    ],
    ['a body without end', 200, `"${'x'.repeat(17 * 1024 * 1024)}"`, /larger than 16 MiB/],
  ])('%s is shown at the connector, without the key', async (_name, status, body, problem) => {
    const { poll: state, to } = await failing((response) =>
      respond(response, status, body, { location: 'http://127.0.0.1:1/' }),
    );
    expect(state).toMatchObject({ failures: 1, failingSince: now.toISOString() });
    expect(state.problem).toMatch(problem);
    expect(JSON.stringify(await read(to))).not.toContain(key);
    const { body: check } = await owner()('GET', `/connectors/${to.id}/check?since=${now.toISOString()}`);
    expect(check.checks[0]).toEqual({ check: 'arrived', state: 'failed', detail: state.problem });
  });

  test('pauses double up to half an hour, and Retry-After is respected', async () => {
    const { to } = await failing((response) => respond(response, 500, ''));
    const nextMs = async (): Promise<number> =>
      new Date((await read(to)).poll.nextAt).getTime() - now.getTime();
    const pauses = [await nextMs()];
    for (let times = 0; times < 6; times += 1) {
      later(pauses.at(-1) ?? 0);
      steam.next(to.app, (response) => respond(response, 500, ''));
      await poll();
      pauses.push(await nextMs());
    }
    expect(pauses.map((ms) => ms / minuteMs)).toEqual([1, 2, 4, 8, 16, 30, 30]);
    later(30 * minuteMs);
    steam.next(to.app, (response) => respond(response, 429, '', { 'retry-after': '2700' }));
    await poll();
    expect((await nextMs()) / minuteMs).toBe(45);
  });

  test('one connector that fails keeps no other one waiting', async () => {
    const [broken, sound] = [await steamShop(), await steamShop()];
    await owner()('POST', `/connectors/${broken.id}/secrets`, { secret: 'a-wrong-key' });
    report(sound.app, steamOrder(now));
    await minute();
    expect((await read(broken)).poll.failures).toBe(1);
    expect(await events(sound)).toHaveLength(1);
  });

  test('a new key is used at once, alone, and a poll with the old one changes nothing', async () => {
    const { to } = await failing((response) => respond(response, 403, 'Forbidden'));
    await owner()('POST', `/connectors/${to.id}/secrets`, { secret: key });
    expect(await poll()).toBe(0);
    expect((await read(to)).poll).toMatchObject({ polledAt: now.toISOString(), failingSince: null });
    expect((await read(to)).secretChangeStartedAt).toBe(null);
  });

  test('a paused connector is not polled, and one without a key neither', async () => {
    const [paused, keyless] = [
      await steamShop(),
      await shop('steam', { secret: undefined, settings: { steamAppId: '999' } }),
    ];
    await owner()('PATCH', `/connectors/${paused.id}`, { isPaused: true });
    const before = steam.requests.length;
    later(minuteMs);
    await poll();
    const asked = steam.requests.slice(before).map(({ app }) => app);
    expect(asked).not.toContain(paused.app);
    expect(asked).not.toContain('999');
    const { body } = await owner()('GET', `/connectors/${keyless.id}/check?since=${now.toISOString()}`);
    expect(body.checks[0]).toMatchObject({ check: 'arrived', state: 'failed' });
  });

  test('it has no address, and needs its app', async () => {
    const to = await steamShop();
    expect((await service().call('POST', `/hooks/v1/${to.id}`, { json: {} })).status).toBe(404);
    expect(await read(to)).toMatchObject({ path: '', signatureHeader: '' });
    for (const settings of [{}, { steamAppId: '0' }, { steamAppId: '480', codeField: 'x' }])
      expect((await owner()('POST', '/connectors', { name: 'x', provider: 'steam', settings })).status).toBe(
        400,
      );
    const { body } = await owner()('GET', '/connectors');
    expect(body.providers.find(({ id }: { id: string }) => id === 'steam')).toMatchObject({
      isPolled: true,
      secretName: 'Publisher Web API key',
      requiredSettings: [{ name: 'steamAppId', label: 'App ID' }],
    });
  });
});

test('a test of a live connector is a test, at any provider', async () => {
  for (const to of [await steamShop(), await shop('paddle'), await shop('tebex')]) {
    const { status, body } = await owner()('POST', `/connectors/${to.id}/tests`, { code: 'ALICE' });
    expect([to.provider, status, body.event?.reason], JSON.stringify(body)).toEqual([
      to.provider,
      200,
      'Recorded',
    ]);
    expect(
      body.event.rows.map((row: { status: string }) => row.status),
      to.provider,
    ).toEqual(body.event.rows.map(() => 'Test'));
  }
});
