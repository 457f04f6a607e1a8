import { Type } from 'typebox';
import { actions, transactionId } from '../../attributions/transaction-schema.ts';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { plain, text } from '../../platform/http/schemas/schemas.ts';
import type { Reversal } from '../../settlement/reverse-payment.ts';
import { adminOperations } from '../admin-operations.ts';
import { minor } from '../schemas.ts';

const refundPart = Type.Object(
  {
    refundId: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: plain,
      description: 'Id for the refund. Sending the same id again returns the first refund.',
    }),
    amountMinor: Type.String({
      pattern: '^[1-9][0-9]{0,15}$',
      description: "Amount to refund, excluding tax, in minor units of the rows' currency.",
    }),
    row: Type.Optional(
      Type.String({ format: 'uuid', description: 'Row to refund. The default is all rows, in proportion.' }),
    ),
    action: Type.String({ enum: [...actions], description: 'Status that a fully refunded row gets.' }),
    reason: Type.Optional(text(2_000, 'Reason, for the audit log.')),
  },
  { title: 'PartToRefund', description: 'Part of a purchase to refund.', additionalProperties: false },
);

const refunded = Type.Object(
  {
    refundId: Type.String(),
    rows: Type.Array(
      Type.Object(
        {
          attributionId: Type.String({ format: 'uuid' }),
          currency: Type.String(),
          amountMinor: minor('Part of the subtotal that was refunded.'),
          shareMinor: minor('Part of the share that was taken back.'),
        },
        { title: 'RefundedRow' },
      ),
    ),
  },
  { title: 'PartRefunded', description: 'The refund that was made.' },
);

export function refundRoute(app: App, { database: { db }, operations }: Service): void {
  const { operation } = adminOperations(app, 'Transactions');
  operation(
    ['post', '/publishers/:publisherId/transactions/:transactionId/refunds', 'refundPartOfTransaction'],
    {
      may: 'reverse',
      summary: 'Refund part of a purchase',
      description:
        'Takes back the shares in the same proportion, in one commit. Returns 409 if one of the rows was already paid out.',
      path: { transactionId },
      body: refundPart,
      answer: refunded,
    },
    async (request) => {
      const { publisherId, transactionId: purchaseId } = request.params;
      const { refundId, amountMinor: sent, row, action, reason } = request.body;
      const amountMinor = BigInt(sent);
      const made = await operations.refundPurchase(db, request.actor, {
        publisherId,
        transactionId: purchaseId,
        refundId,
        amountMinor,
        rows: row === undefined ? null : [{ id: row.toLowerCase(), amountMinor }],
        reversal: action as Reversal,
        occurredAt: null,
        reason: reason ?? null,
      });
      return { refundId, rows: made.rows.map(({ recordIds: _, ...part }) => part) };
    },
  );
}
