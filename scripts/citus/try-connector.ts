import { setTimeout as sleep } from 'node:timers/promises';
import { serviceActor } from '../../packages/server/src/audit/actor.ts';
import { createConnector } from '../../packages/server/src/connectors/create-connector.ts';
import { generic } from '../../packages/server/src/connectors/providers/generic.ts';
import { systemClock } from '../../packages/server/src/platform/clock.ts';
import type { Sealer } from '../../packages/server/src/platform/secrets/sealer.ts';
import type { Trial } from './try-program.ts';

const secret = 'whsec_0123456789abcdef';

/**
 * Tests a connector of the publisher p0: an order that is named in advance, and its events, the refund first and each twice.
 * @returns the number of purchases that it recorded
 */
export async function tryConnector(
  { address, keys, database, expect }: Trial,
  sealer: Sealer,
): Promise<number> {
  const now = systemClock.now();
  const { connectorId } = await createConnector({ db: database.db, sealer, now }, serviceActor, {
    ...{ publisherId: 'p0', name: 'shop', provider: 'generic', groupId: 'main', settings: {}, secret },
  });
  const orderId = 'shop-order-1';
  const headers = { 'x-shared-secret': keys[0] ?? '', 'content-type': 'application/json' };
  const named = await fetch(`${address}/v1/connectors/${connectorId}/orders/${orderId}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ code: 'CODE0x2', playerId: 'buyer' }),
  });
  expect('an order is named in advance', named.status === 200, `${named.status}`);
  const time = now.toISOString();
  const paid = { id: orderId, subtotal: 1_000, total: 1_200, currency: 'USD' };
  const refunded = { id: 'e-2', type: 'order.refunded', time, order: { id: orderId, currency: 'USD' } };
  const events = [refunded, { id: 'e-1', type: 'order.paid', time, order: paid }];
  for (const event of [...events, ...events]) {
    const body = Buffer.from(JSON.stringify(event));
    const signature = generic.sign(body, secret, now, {});
    const { status } = await fetch(`${address}/hooks/v1/${connectorId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signature },
      body,
    });
    expect('a signed event gets 200', status === 200, `${status}`);
  }
  let shown = '';
  for (let tries = 0; tries < 300 && !shown.includes('"Refund"'); tries += 1) {
    await sleep(100);
    shown = await (await fetch(`${address}/v1/attributions/transactions/${orderId}`, { headers })).text();
  }
  expect('its purchase is recorded and refunded', shown.includes('"Refund"'), shown);
  return 1;
}
