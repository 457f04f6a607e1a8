import { Type } from 'typebox';
import { statuses, transactionId } from '../../attributions/transaction-schema.ts';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { refundIdPath, reinstatementReason } from '../../settlement/reinstatements/reinstatement-schema.ts';
import { adminOperations } from '../admin-operations.ts';
import { minor, time } from '../schemas.ts';

const reinstated = Type.Object(
  {
    refundId: Type.String(),
    createdAt: time('Time of the reinstatement.'),
    rows: Type.Array(
      Type.Object(
        {
          attributionId: Type.String({ format: 'uuid' }),
          currency: Type.String(),
          amountMinor: minor('Part of the subtotal that counts again.'),
          shareMinor: minor('Part of the share that was given back.'),
          status: Type.String({ enum: [...statuses], description: 'Status of the row.' }),
        },
        { title: 'ReinstatedRow' },
      ),
    ),
  },
  { title: 'RefundReinstated', description: 'The reinstatement that was made.' },
);

export function reinstateRoute(app: App, { database: { db }, operations }: Service): void {
  const { operation } = adminOperations(app, 'Transactions');
  operation(
    [
      'post',
      '/publishers/:publisherId/transactions/:transactionId/refunds/:refundId/reinstate',
      'reinstateRefundOfTransaction',
    ],
    {
      may: 'reverse',
      summary: 'Reinstate a refund of a purchase',
      description:
        'Gives back in one commit what the refund took. The share of a row that was already paid is added to the next payout. Repeating the request returns the first reinstatement. Returns 409 if one of the rows is in a payout that is not marked as paid.',
      path: { transactionId, refundId: refundIdPath },
      body: Type.Object(
        { reason: reinstatementReason },
        { title: 'RefundToReinstate', description: 'Refund to reinstate.', additionalProperties: false },
      ),
      answer: reinstated,
    },
    async ({ params, body, actor }) => {
      const { publisherId, transactionId: purchaseId, refundId } = params;
      const made = await operations.reinstateRefund(db, actor, {
        publisherId,
        transactionId: purchaseId,
        refundId,
        reason: body.reason,
        occurredAt: null,
      });
      return { refundId: made.refundId, createdAt: made.createdAt, rows: made.rows };
    },
  );
}
