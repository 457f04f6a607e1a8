import { Type } from 'typebox';
import type { App } from '../platform/http/app-type.ts';
import { operation } from '../platform/http/operation.ts';
import { bodyErrors, errorBody, groupId, secretErrors, text } from '../platform/http/schemas/schemas.ts';
import { toTransactionRecord } from './attribution-row.ts';
import {
  type Action,
  actions,
  transactionId,
  transactionRecords,
  transactionTags,
} from './transaction-schema.ts';
import { type UpdateDeps, updateTransactions } from './update-transactions.ts';

const patchBody = Type.Object(
  {
    action: Type.Optional(Type.String({ enum: [...actions], description: 'New status of the transaction.' })),
    playerId: Type.Optional(text(255, 'New id of the player who made the purchase.')),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    title: 'TransactionUpdate',
    description: 'Fields to update. At least one is required.',
  },
);

/** Registers operation 4 of the contract. */
export function updateTransactionsRoute(app: App, deps: UpdateDeps): void {
  operation(
    app,
    ['patch', '/v1/attributions/transactions/:transactionId', 'updateTransactions'],
    {
      config: { key: 'secret' },
      summary: 'Update a transaction',
      description:
        'Updates every record with the given `transactionId`, in creation order, each in its own commit. The request fails with 409 at the first record that was already paid out. Records before it stay updated.',
      tags: transactionTags,
      consumes: ['application/x-www-form-urlencoded', 'application/json'],
      path: { transactionId },
      query: { groupId },
      body: patchBody,
      answer: transactionRecords,
      errors: {
        400: errorBody('InvalidInput: the body has no properties, an unknown property, or an invalid value.'),
        404: errorBody('NotFound: no transaction has this transactionId.'),
        409: errorBody('Conflict: a record was already paid out.'),
        ...bodyErrors,
        ...secretErrors,
      },
    },
    async (request) => {
      const { action = null, playerId = null } = request.body;
      const rows = await updateTransactions(deps, request.actor, {
        publisherId: request.principal.publisherId,
        transactionId: request.params.transactionId,
        action: action as Action | null,
        playerId,
      });
      return rows.map(toTransactionRecord);
    },
  );
}
