import { Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import type { App } from '../../platform/http/app-type.ts';
import { operation } from '../../platform/http/operation.ts';
import {
  anyOfThese,
  bodyErrors,
  errorBody,
  plain,
  secretErrors,
} from '../../platform/http/schemas/schemas.ts';
import { nullIsAbsent } from '../../platform/http/schemas/validation.ts';
import type { Programs } from '../../publishers/programs.ts';
import { resolveGroup } from '../../publishers/resolve-group.ts';
import { type ConnectorKey, noSuchConnector, readConnectorRow } from '../connector-record.ts';
import { nameOrder } from './name-order.ts';

export interface OrderDeps {
  db: Db;
  clock: Clock;
  programs: Programs;
}

const line = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: plain, description });

const namedOrder = Type.Object(
  {
    connectorId: Type.String(),
    orderId: Type.String(),
    code: Type.Optional(Type.String()),
    playerId: Type.Optional(Type.String()),
    namedAt: Type.String({ format: 'date-time', description: 'Time at which the order was named last.' }),
    usedAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Time at which its purchase was recorded. Absent until then.',
      }),
    ),
  },
  { title: 'NamedOrder', description: 'Creator code and player of an order at a payment provider.' },
);

/** Registers the operation that names the creator code of an order before its provider reports it. */
export function orderRoute(app: App, { db, clock, programs }: OrderDeps): void {
  /** Checks that a key may use a connector. @throws Refusal NotFound */
  const requireConnector = async (key: ConnectorKey, keyGroupId: string | null): Promise<void> => {
    const { group_id } = await readConnectorRow(db, key);
    if (keyGroupId === null) return;
    const { groupId } = await resolveGroup(programs, key.publisherId, null, group_id ?? undefined);
    if (groupId !== keyGroupId) throw noSuchConnector(key);
  };

  operation(
    app,
    ['put', '/v1/connectors/:connectorId/orders/:orderId', 'nameOrder'],
    {
      config: { key: 'secret' },
      summary: 'Name the creator code of an order',
      description:
        'For orders whose provider can’t carry a code, such as Steam: call it before you start the order. When the provider reports the order as paid, the connector credits this code, or else the code that the player had entered. The code is looked up only then. You can repeat the request, and change it until the purchase is recorded. An order that was reported earlier and had no code is worked on again. Orders are deleted 30 days after their purchase, and 90 days after they were named if there was none.',
      tags: ['Connectors'],
      path: {
        connectorId: Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'Id of the connector, as the dashboard and `attribution connectors list` show it.',
        }),
        orderId: line(255, 'The provider’s id of the order, such as `orderid` at Steam.'),
      },
      body: Type.Object(
        {
          code: Type.Optional(
            line(1_000, 'Creator code in any case, or codes with whole percents such as `ALICE:70,BOB:30`.'),
          ),
          playerId: Type.Optional(line(255, 'Your id of the player who buys.')),
        },
        { title: 'OrderToName', ...anyOfThese('code', 'playerId'), ...nullIsAbsent },
      ),
      answer: namedOrder,
      errors: {
        400: errorBody('InvalidInput: the body is invalid.'),
        404: errorBody(
          'NotFound: the publisher has no such connector, or the key is scoped to another group.',
        ),
        409: errorBody('Conflict: the purchase was recorded with another code or player.'),
        ...bodyErrors,
        ...secretErrors,
      },
    },
    async (request) => {
      const { publisherId, groupId } = request.principal;
      const { connectorId, orderId } = request.params;
      const { code = null, playerId = null } = request.body;
      const key = { publisherId, connectorId };
      await requireConnector(key, groupId);
      const named = await inTransaction(db, (tx) =>
        nameOrder(tx, { ...key, orderId, code, playerId, now: clock.now() }),
      );
      return {
        connectorId,
        orderId,
        ...(named.code !== null && { code: named.code }),
        ...(named.playerId !== null && { playerId: named.playerId }),
        namedAt: named.namedAt.toISOString(),
        ...(named.usedAt !== null && { usedAt: named.usedAt.toISOString() }),
      };
    },
  );
}
