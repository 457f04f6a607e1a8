import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
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
import { providerOf } from './providers/all-providers.ts';
import { receiveRequest } from './receive/receive-request.ts';

export interface ConnectorTest extends ConnectorKey {
  /** Name of a fixture, such as `order_paid`. */
  fixture: string;
  /** Code of the order. */
  code: string;
  /** Order of an earlier test, for a refund or dispute of it; null for a new order. */
  orderId: string | null;
}

/**
 * Signs a test event with the connector's secret, and sends it the whole way that the provider's events go. At a live publisher, its
 * purchase has the status Test, which earns nothing.
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
  const fixture = provider.fixtures.find((each) => each.name === name);
  if (fixture === undefined)
    throw new Refusal(
      'InvalidInput',
      `The fixture must be one of ${provider.fixtures.map((each) => each.name).join(', ')}.`,
      { path: ['fixture'] },
    );
  const [secret] = openSecrets(sealer, connector);
  if (secret === undefined)
    throw new Refusal('Conflict', 'The connector has no signing secret yet. Enter it first.');
  const orderId = sentOrder ?? `test_${randomBase62(12)}`;
  const body = Buffer.from(JSON.stringify(fixture.body({ orderId, code, playerId: 'test-player', now })));
  const settings = settingsOf(connector);
  const request = {
    body,
    headers: { 'content-type': 'application/json', ...provider.sign(body, secret, now, settings) },
  };
  return inTransaction(db, async (tx) => {
    const { eventIds, problem, repeats } = await receiveRequest({ db: tx, sealer, now }, connector, request);
    if (problem !== null) throw new Error(`a signed test was rejected: ${problem}`);
    const [eventId] = eventIds;
    if (eventId === undefined)
      throw new Refusal(
        'Conflict',
        repeats > 0
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
