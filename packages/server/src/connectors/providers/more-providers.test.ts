import { Environment, Paddle } from '@paddle/paddle-node-sdk';
import { describe, expect, test } from 'vitest';
import { type Shop, useConnectors } from '../../../test/connectors.ts';
import { paddle } from './paddle.ts';

const now = new Date('2026-05-02T12:00:00Z');
const { shop, send, deliver, work, outcomes, get, events, settle, expectSound } = useConnectors({
  now: () => now,
});

let orders = 0;
const newOrder = (): string => {
  orders += 1;
  return `order_${orders}`;
};

/** Sends fixtures of an order one after another. @returns the outcomes, and the purchase's row */
async function sent(to: Shop, orderId: string, ...fixtures: string[]) {
  for (const fixture of fixtures) {
    expect(await deliver(to, fixture, { orderId })).toBe(200);
    await work();
  }
  const { body } = await get(orderId, { query: '?include=meta' });
  return { last: (await outcomes(to, orderId)).at(-1), row: body[0]?.transaction };
}

describe.each(['paddle', 'fastspring', 'tebex'])('%s', (provider) => {
  test('a paid order is recorded without tax, and a full refund takes everything back', async () => {
    const to = await shop(provider);
    const orderId = newOrder();
    const paid = await sent(to, orderId, 'order_paid');
    expect(paid.last).toBe('Done Recorded');
    expect(paid.row).toMatchObject({
      ...{ code: 'ALICE', subtotal: 999, total: 1_200, currency: 'USD', status: 'Normal' },
      ...{ skuId: 'battle-pass', description: 'Battle pass', playerId: 'buyer-1' },
      transactionDate: now.toISOString(),
    });
    const refunded = await sent(to, orderId, 'refund_full');
    expect([refunded.last, refunded.row.status]).toEqual(['Done Refunded', 'Refund']);
    await settle();
    await expectSound();
  });
});

test.each(['paddle', 'fastspring'])(
  'a part refunded at %s takes back its part without tax',
  async (provider) => {
    const { last, row } = await sent(await shop(provider), newOrder(), 'order_paid', 'refund_part');
    expect([last, row.status, row.refundedAmount]).toEqual(['Done Refunded', 'Normal', 500]);
  },
);

test.each(['paddle', 'tebex'])('a dispute at %s holds the purchase, and releases it', async (provider) => {
  const to = await shop(provider);
  const orderId = newOrder();
  expect((await sent(to, orderId, 'order_paid', 'dispute_opened')).last).toBe('Done Held');
  expect((await sent(to, orderId, 'dispute_won')).last).toBe('Done Released');
});

describe('Paddle', () => {
  test('accepts what its own library signs and verifies, also with several signatures', async () => {
    const sdk = new Paddle('none', { environment: Environment.sandbox });
    const body = JSON.stringify(
      paddle.fixtures[0]?.body({ orderId: 'txn_1', code: 'A', playerId: 'p', now: new Date() }),
    );
    const header = paddle.sign(Buffer.from(body), 'pdl_secret', new Date(), {})['paddle-signature'] ?? '';
    expect(await sdk.webhooks.isSignatureValid(body, 'pdl_secret', header)).toBe(true);
    expect(await sdk.webhooks.isSignatureValid(body, 'another', header)).toBe(false);
    const [time, signature] = header.split(';');
    const verify = (sentHeader: string) =>
      paddle.verify(
        { body: Buffer.from(body), headers: { 'paddle-signature': sentHeader } },
        ['pdl_secret'],
        new Date(),
        {},
      );
    expect(verify(`${time};${signature};h1=00`)).toBe(null);
    expect(verify(`${time};h1=00;${signature}`)).toBe(null);
    expect(verify(`${time};h1=00`)).toBe('WrongSignature');
  });

  test('a refund that waits for approval does nothing, and a chargeback can be reversed', async () => {
    const to = await shop('paddle');
    const orderId = newOrder();
    expect((await sent(to, orderId, 'order_paid', 'refund_pending')).last).toBe('Ignored Pending');
    const charged = await sent(to, orderId, 'chargeback');
    expect([charged.last, charged.row.status]).toEqual(['Done ChargedBack', 'Chargeback']);
    const reversed = await sent(to, orderId, 'chargeback_reversed');
    expect([reversed.last, reversed.row.status]).toEqual(['Done Reinstated', 'Normal']);
  });

  test('the events of a test account are tests', async () => {
    const to = await shop('paddle', { settings: { isTestAccount: true } });
    expect((await sent(to, newOrder(), 'order_paid')).row.status).toBe('Test');
  });
});

test('FastSpring sends several events in a request, each of which counts once', async () => {
  const to = await shop('fastspring');
  const ids = [newOrder(), newOrder()];
  const bodies = await Promise.all(
    ids.map(async (id) => ({
      ...{ id: `evt-${id}`, type: 'order.completed', live: true },
      data: {
        ...{ id, currency: 'USD', total: 5, tax: 0, changed: now.getTime() },
        tags: { creator_code: 'BOB' },
      },
    })),
  );
  for (const list of [bodies, [bodies[0]]]) expect((await send(to, { events: list })).status).toBe(200);
  await work();
  expect(await events(to)).toMatchObject([{ repeats: 1 }, { repeats: 0 }]);
  for (const id of ids)
    expect((await get(id)).body[0].transaction).toMatchObject({ subtotal: 500, code: 'BOB' });
  expect((await send(to, { events: [] })).status).toBe(200);
  expect((await send(to, { events: bodies }, { headers: { 'x-fs-signature': '' } })).status).toBe(403);
});

test('Tebex gets the answer to its first question, which only a valid signature gets', async () => {
  const to = await shop('tebex');
  const question = { type: 'validation.webhook', id: 'abc-1', date: now.toISOString(), subject: {} };
  expect(await send(to, question)).toMatchObject({ status: 200, body: { id: 'abc-1' } });
  expect((await send(to, question, { secret: 'another secret' })).status).toBe(403);
  expect(await events(to)).toEqual([]);
});
