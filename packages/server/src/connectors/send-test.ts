import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import { randomBase62 } from '../platform/ids.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import {
  type ConnectorKey,
  connectorTarget,
  openSecrets,
  readConnectorRow,
  settingsOf,
} from './connector-record.ts';
import { nameOrder } from './orders/name-order.ts';
import { providerOf, webhookProviderOf } from './providers/all-providers.ts';
import { receiveRequest } from './receive/receive-request.ts';
import { storeOrders } from './receive/store-events.ts';

export interface ConnectorTest extends ConnectorKey {
  /** Name of a fixture, such as `order_paid`. */
  fixture: string;
  /** Code of the order. */
  code: string;
  /** Order of an earlier test, for a refund or dispute of it; null for a new order. */
  orderId: string | null;
}

/**
 * Signs a test event with the connector's secret, and sends it the whole way that the provider's events go. For a provider that is
 * polled, the order is named and stored as if its report contained it. At a live publisher, its purchase has the status Test, which
 * earns nothing.
 * @returns the ids of the event, which a worker takes next, and of its order
 * @throws Refusal NotFound; InvalidInput for an unknown fixture; Conflict without a secret
 */
export async function sendTest(
  { db, sealer, now }: { db: Db; sealer: Sealer; now: Date },
  actor: Actor,
  { fixture: name, code, orderId: sentOrder, ...key }: ConnectorTest,
): Promise<{ eventId: string; orderId: string }> {
  const connector = await readConnectorRow(db, key);
  const provider = providerOf(connector.provider);
  const webhook = webhookProviderOf(connector.provider);
  const fixture = provider.fixtures.find((each) => each.name === name);
  if (fixture === undefined)
    throw new Refusal(
      'InvalidInput',
      `The fixture must be one of ${provider.fixtures.map((each) => each.name).join(', ')}.`,
      { path: ['fixture'] },
    );
  const [secret] = openSecrets(sealer, connector);
  if (secret === undefined) throw new Refusal('Conflict', 'The connector has no secret yet. Enter it first.');
  const orderId = sentOrder ?? `test_${randomBase62(12)}`;
  const sample = fixture.body({ orderId, code, playerId: 'test-player', now });
  const receive = async (tx: Tx): Promise<{ eventIds: string[]; hasArrived: boolean }> => {
    const deps = { db: tx, sealer, now, isSample: true };
    if (webhook === null) {
      await nameOrder(tx, { ...key, orderId, code, playerId: null, now });
      return { eventIds: await storeOrders(deps, connector, [sample]), hasArrived: true };
    }
    const body = Buffer.from(JSON.stringify(sample));
    const headers = webhook.sign(body, secret, now, settingsOf(connector));
    const { eventIds, problem, repeats } = await receiveRequest(deps, connector, {
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    if (problem !== null) throw new Error(`a signed test was rejected: ${problem}`);
    return { eventIds, hasArrived: repeats > 0 };
  };
  return inTransaction(db, async (tx) => {
    const { eventIds, hasArrived } = await receive(tx);
    const [eventId] = eventIds;
    if (eventId === undefined)
      throw new Refusal(
        'Conflict',
        hasArrived
          ? 'This event of the order was sent before. Use another order.'
          : 'The fixture is not an event.',
      );
    await recordChange(tx, actor, {
      publisherId: key.publisherId,
      action: 'connector.test',
      target: connectorTarget(key),
      after: { fixture: name },
    });
    return { eventId, orderId };
  });
}
