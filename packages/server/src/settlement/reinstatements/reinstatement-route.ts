import { transactionId, transactionTags } from '../../attributions/transaction-schema.ts';
import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { operation } from '../../platform/http/operation.ts';
import { bodyErrors, errorBody, secretErrors } from '../../platform/http/schemas/schemas.ts';
import { parseTimestamp } from '../../platform/timestamps.ts';
import type { PurchaseReinstatement } from './read-reinstatement.ts';
import type { ReinstatementRequest } from './reinstate-refund.ts';
import { newReinstatement, refundIdPath, reinstatement, toReinstatement } from './reinstatement-schema.ts';

export interface ReinstatementDeps {
  db: Db;
  reinstateRefund: (db: Db, actor: Actor, request: ReinstatementRequest) => Promise<PurchaseReinstatement>;
}

/** Registers the operation that reinstates a refund. */
export function reinstatementRoute(app: App, { db, reinstateRefund }: ReinstatementDeps): void {
  operation(
    app,
    ['post', '/v1/attributions/transactions/:transactionId/refunds/:refundId/reinstate', 'reinstateRefund'],
    {
      config: { key: 'secret' },
      summary: 'Reinstate a refund',
      description:
        'Gives back in one commit what a refund, a status change or a clawback took: the money, the status, the counts and the progress of bounties. If another status change is still in effect, the record remains reversed, with that status. If the share was already paid, the amount is added to the next payout. Repeating the request returns the first reinstatement and changes nothing, so a retry is safe.',
      tags: transactionTags,
      path: { transactionId, refundId: refundIdPath },
      body: newReinstatement,
      answer: reinstatement,
      errors: {
        400: errorBody('InvalidInput: the body is invalid.'),
        404: errorBody(
          'NotFound: no transaction has this transactionId, or the transaction has no such refund.',
        ),
        409: errorBody('Conflict: a record is in a payout that is not marked as paid.'),
        ...bodyErrors,
        ...secretErrors,
      },
    },
    async (request) => {
      const { reason, occurredAt } = request.body;
      const occurredMs = occurredAt === undefined ? null : parseTimestamp(occurredAt);
      const made = await reinstateRefund(db, request.actor, {
        publisherId: request.principal.publisherId,
        transactionId: request.params.transactionId,
        refundId: request.params.refundId,
        reason,
        occurredAt: occurredMs === null ? null : new Date(occurredMs),
      });
      return toReinstatement(made);
    },
  );
}
