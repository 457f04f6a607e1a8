import { Type } from 'typebox';
import { sendJson } from '../platform/http/answers/error-answers.ts';
import type { App } from '../platform/http/app-type.ts';
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
    action: Type.Optional(Type.String({ enum: [...actions], description: 'The new status.' })),
    playerId: Type.Optional(text(255, "Overwrites the purchasing player's id.")),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    title: 'TransactionUpdate',
    description: 'What is to change: at least one of the two.',
  },
);

/** Operation 4 of the contract. */
export function updateTransactionsRoute(app: App, deps: UpdateDeps): void {
  app.patch(
    '/v1/attributions/transactions/:transactionId',
    {
      config: { key: 'secret' },
      schema: {
        operationId: 'updateTransactions',
        summary: 'Update transactions by transactionId',
        description:
          'Every row of the purchase, in creation order, one commit each. A row already paid out stops the walk with 409; rows before it stay updated.',
        tags: transactionTags,
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        params: Type.Object({ transactionId }),
        querystring: Type.Object({ groupId }),
        body: patchBody,
        response: {
          200: transactionRecords,
          400: errorBody('InvalidInput: neither property, another property, or a value that is not allowed.'),
          404: errorBody('NotFound: no row has this transactionId.'),
          409: errorBody('Conflict: a row was already paid out.'),
          ...bodyErrors,
          ...secretErrors,
        },
      },
    },
    async (request, reply) => {
      const { action = null, playerId = null } = request.body;
      const rows = await updateTransactions(deps, request.actor, {
        publisherId: request.principal.publisherId,
        transactionId: request.params.transactionId,
        action: action as Action | null,
        playerId,
      });
      return sendJson(reply, rows.map(toTransactionRecord));
    },
  );
}
