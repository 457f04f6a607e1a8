import { type Static, Type } from 'typebox';
import { statuses, transactionId } from '../../attributions/transaction-schema.ts';
import { currency, plain, timestamp } from '../../platform/http/schemas/schemas.ts';
import { nullIsAbsent } from '../../platform/http/schemas/validation.ts';
import type { PurchaseReinstatement } from './read-reinstatement.ts';

export const refundIdPath = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: plain,
  description:
    'Your id for the refund. For a status change or a clawback, the `refundId` in the list of refunds.',
});

export const reinstatementReason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: plain,
  description: 'Reason, for the audit log. 1 to 500 characters, with no control characters.',
});

export const newReinstatement = Type.Object(
  {
    reason: reinstatementReason,
    occurredAt: Type.Optional(
      timestamp(
        "Time at which the buyer's payment became valid again. The default is the time of the request.",
      ),
    ),
  },
  {
    title: 'NewReinstatement',
    description: 'Reinstatement of a refund.',
    additionalProperties: false,
    ...nullIsAbsent,
  },
);

export const reinstatement = Type.Object(
  {
    refundId: Type.String({ description: 'Id of the refund.' }),
    transactionId,
    reason: Type.String({ description: 'Reason.' }),
    occurredAt: Type.String({
      format: 'date-time',
      description: "Time at which the buyer's payment became valid again.",
    }),
    createdAt: Type.String({
      format: 'date-time',
      description: 'Time at which the reinstatement was recorded.',
    }),
    rows: Type.Array(
      Type.Object(
        {
          id: Type.String({ format: 'uuid', description: 'Id of the record.' }),
          amount: Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description:
              'Part of `subtotal` that counts again, in minor units of `currency`; 0 if another reversal of the record is still in effect.',
          }),
          currency: currency('Currency of the record.'),
          memberShareAmount: Type.Integer({
            minimum: 0,
            description: "Part of the member's share that was given back, in minor units of `currency`.",
          }),
          status: Type.String({ enum: [...statuses], description: 'Status of the record.' }),
        },
        { title: 'ReinstatedRecord', description: 'Part of a record that was given back.' },
      ),
    ),
  },
  { title: 'Reinstatement', description: 'Reinstatement of a refund.' },
);

export const toReinstatement = (made: PurchaseReinstatement): Static<typeof reinstatement> => ({
  refundId: made.refundId,
  transactionId: made.transactionId,
  reason: made.reason,
  occurredAt: made.occurredAt.toISOString(),
  createdAt: made.createdAt.toISOString(),
  rows: made.rows.map((row) => ({
    id: row.attributionId,
    amount: Number(row.amountMinor),
    currency: row.currency,
    memberShareAmount: Number(row.shareMinor),
    status: row.status,
  })),
});
