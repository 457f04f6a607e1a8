import type { Db } from '../platform/database/database.ts';
import type { App } from '../platform/http/app-type.ts';
import { operation } from '../platform/http/operation.ts';
import { errorBody, groupId, secretErrors } from '../platform/http/schemas/schemas.ts';
import { toTransactionRecord } from './attribution-row.ts';
import { getTransaction } from './get-transaction.ts';
import { toRecordWithMeta, withMeta } from './row-meta.ts';
import { include, transactionId, transactionRecords, transactionTags } from './transaction-schema.ts';

/** Registers operation 1 of the contract. */
export function getTransactionRoute(app: App, { db }: { db: Db }): void {
  operation(
    app,
    ['get', '/v1/attributions/transactions/:transactionId', 'getTransaction'],
    {
      config: { key: 'secret' },
      summary: 'Get a transaction',
      description:
        'Returns every record with the given `transactionId`, in creation order, across all creator groups of your account.',
      tags: transactionTags,
      path: { transactionId },
      query: { groupId, include },
      answer: transactionRecords,
      errors: {
        400: errorBody('InvalidInput: the transactionId or a query parameter is invalid.'),
        404: errorBody('NotFound: no transaction has this transactionId.'),
        ...secretErrors,
      },
    },
    async (request) => {
      const rows = await getTransaction(db, request.principal.publisherId, request.params.transactionId);
      if (request.query.include === undefined) return rows.map(toTransactionRecord);
      const described = await withMeta(db, request.principal.publisherId, rows);
      return described.map(toRecordWithMeta);
    },
  );
}
