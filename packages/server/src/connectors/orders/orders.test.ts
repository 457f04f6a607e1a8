import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type Shop, useConnectors } from '../../../test/connectors.ts';
import { takeEvents } from '../work/take-events.ts';
import { workEvents } from '../work/work-events.ts';
import { purgeOrders } from './end-orders.ts';

let now = new Date('2026-05-02T12:00:00Z');
const connectors = useConnectors({ now: () => now });
const { shop, send, work, outcomes, get, owner, service, keys, db, number, eventDeps } = connectors;

const dayMs = 86_400_000;
const later = (ms: number): void => {
  now = new Date(now.getTime() + ms);
};

let orders = 0;
const newOrder = (): string => {
  orders += 1;
  return `order-${orders}`;
};

const name = (to: Shop, orderId: string, body: unknown, key = keys().backend) =>
  service().call('PUT', `/v1/connectors/${to.id}/orders/${encodeURIComponent(orderId)}`, { key, json: body });

/** Sends a paid order of one's own shop. */
const pay = (to: Shop, orderId: string, order: Record<string, unknown> = {}) =>
  send(to, {
    id: `paid ${orderId}`,
    type: 'order.paid',
    time: now.toISOString(),
    order: { id: orderId, subtotal: 1_000, total: 1_190, currency: 'USD', ...order },
  });

const codeOf = async (orderId: string): Promise<string> => (await get(orderId)).body[0].transaction.code;

test('the code and player of an order are credited, unless its event has a valid code', async () => {
  const to = await shop('generic');
  for (const [order, expected] of [
    [{}, 'ALICE'],
    [{ creatorCode: 'BOB' }, 'BOB'],
    [{ creatorCode: 'UNKNOWN' }, 'ALICE'],
  ] as const) {
    const orderId = newOrder();
    expect((await name(to, orderId, { code: 'alice', playerId: 'player-9' })).status).toBe(200);
    await pay(to, orderId, { ...order, playerId: 'of-the-shop' });
    await work();
    expect((await get(orderId)).body[0].transaction).toMatchObject({
      code: expected,
      playerId: 'player-9',
      origin: 'webshopCode',
    });
  }
});

test('a player without a code gets the code that the player had entered, and a split is a split', async () => {
  const to = await shop('generic', { settings: { usesPlayerCode: true } });
  await service().call('PUT', '/v1/attributions/players/fan-1/code', {
    key: keys().backend,
    json: { code: 'BOB', at: '2026-05-02T11:00:00Z' },
  });
  const [byPlayer, split] = [newOrder(), newOrder()];
  await name(to, byPlayer, { playerId: 'fan-1' });
  await name(to, split, { code: 'ALICE:70, BOB', playerId: 'fan-1' });
  for (const orderId of [byPlayer, split]) await pay(to, orderId);
  await work();
  expect(await codeOf(byPlayer)).toBe('BOB');
  const { body } = await get(split);
  expect(body.map(({ transaction }: { transaction: { subtotal: number } }) => transaction.subtotal)).toEqual([
    700, 300,
  ]);
});

test('an order that is named too late is worked on again', async () => {
  const to = await shop('generic');
  const [without, unknown] = [newOrder(), newOrder()];
  await pay(to, without);
  await pay(to, unknown, { creatorCode: 'UNKNOWN' });
  await work();
  expect(await outcomes(to)).toEqual(['Ignored NoCode', 'Ignored CodeNotInGroup']);
  for (const orderId of [without, unknown]) await name(to, orderId, { code: 'ALICE' });
  await work();
  expect(await outcomes(to)).toEqual(['Done Recorded', 'Done Recorded']);
});

test('an order that is named while a worker has it is not lost', async () => {
  const to = await shop('generic');
  const orderId = newOrder();
  await pay(to, orderId);
  const deps = eventDeps();
  let isNamed = false;
  // The order is named just after the worker looked for it, which is when it asks for the program's group.
  const programs = new Proxy(deps.programs, {
    get(target, property) {
      if (property !== 'get')
        return Reflect.get(target, property).bind?.(target) ?? Reflect.get(target, property);
      return async (publisherId: string) => {
        const program = await target.get(publisherId);
        if (!isNamed) {
          isNamed = true;
          expect((await name(to, orderId, { code: 'ALICE' })).status).toBe(200);
        }
        return program;
      };
    },
  });
  const [event] = await takeEvents(db(), 'aurora', now);
  expect(event?.orderId).toBe(orderId);
  await workEvents({ ...deps, programs }, 'aurora', [event?.eventId ?? '']);
  await work();
  expect(await codeOf(orderId)).toBe('ALICE');
  expect(await outcomes(to)).toEqual(['Done AlreadyRecorded']);
});

test('it can be named again until the purchase is recorded, and the same again at any time', async () => {
  const to = await shop('generic');
  const orderId = newOrder();
  await name(to, orderId, { code: 'BOB' });
  const { body } = await name(to, orderId, { code: 'ALICE' });
  expect(body).toEqual({ connectorId: to.id, orderId, code: 'ALICE', namedAt: now.toISOString() });
  await pay(to, orderId);
  await work();
  expect(await codeOf(orderId)).toBe('ALICE');
  expect(await name(to, orderId, { code: 'BOB' })).toMatchObject({ status: 409, body: { code: 'Conflict' } });
  expect(await name(to, orderId, { code: 'ALICE', playerId: 'p' })).toMatchObject({ status: 409 });
  expect(await name(to, orderId, { code: 'ALICE' })).toMatchObject({
    status: 200,
    body: { usedAt: now.toISOString() },
  });
  expect(await codeOf(orderId)).toBe('ALICE');
});

test('invalid input, other keys and other publishers are rejected', async () => {
  const to = await shop('generic');
  const orderId = newOrder();
  for (const body of [
    {},
    { code: null },
    { code: '' },
    { code: 'ALICE,BOB' },
    { code: 'ALICE:100,BOB' },
    { code: 'x'.repeat(1_001) },
    { code: 'A\u0000' },
    { code: 1 },
    { playerId: '' },
    { playerId: 'x'.repeat(256) },
    [],
    'ALICE',
  ])
    expect([body, (await name(to, orderId, body)).status]).toEqual([body, 400]);
  expect((await name(to, 'x'.repeat(256), { code: 'A' })).status).toBe(400);
  expect((await name(to, '\u0000', { code: 'A' })).status).toBe(400);
  for (const [key, status] of [
    [keys().client, 403],
    [keys().rival, 404],
    [keys().moba, 404],
  ] as const)
    expect((await name(to, orderId, { code: 'ALICE' }, key)).status).toBe(status);
  const other = await shop('generic', { groupId: 'moba' });
  expect((await name(other, orderId, { code: 'ALICE' }, keys().moba)).status).toBe(200);
  await owner()('DELETE', `/connectors/${other.id}`);
  expect((await name(other, orderId, { code: 'ALICE' })).status).toBe(404);
  expect(await number(sql`select count(*) as n from connector_order where connector_id = ${to.id}`)).toBe(0n);
});

test('orders are deleted 30 days after their purchase, or 90 days after they were named', async () => {
  const to = await shop('generic');
  const [used, unused] = [newOrder(), newOrder()];
  for (const orderId of [used, unused]) await name(to, orderId, { code: 'ALICE' });
  later(dayMs);
  await pay(to, used);
  await work();
  const left = async (): Promise<bigint> => {
    await purgeOrders(db(), now, new AbortController().signal);
    return number(sql`select count(*) as n from connector_order where connector_id = ${to.id}`);
  };
  for (const [days, expected] of [
    [29, 2n],
    [2, 1n],
    [57, 1n],
    [2, 0n],
  ] as const) {
    later(days * dayMs);
    expect(await left(), `${days} days later`).toBe(expected);
  }
  expect(await codeOf(used)).toBe('ALICE');
});
