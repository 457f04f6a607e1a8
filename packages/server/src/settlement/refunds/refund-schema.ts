import { type Static, Type } from 'typebox';
import { actions, transactionId } from '../../attributions/transaction-schema.ts';
import { currency, plain, timestamp } from '../../platform/http/schemas/schemas.ts';
import { nullIsAbsent } from '../../platform/http/schemas/validation.ts';
import type { PurchaseRefund } from './read-refunds.ts';

const amount = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });

const refundId = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: plain,
  description:
    "Your id for the refund, such as the payment provider's id. Sending the same id again returns the first refund. 1 to 255 characters, with no control characters.",
});

const reason = Type.String({
  enum: [...actions],
  description: 'Reason, which becomes the status of a fully refunded record.',
});

/** Maximum number of rows in a request, which is the limit for splits. */
const maxRows = 1_000;

export const newRefund = Type.Object(
  {
    refundId,
    amount: Type.Optional(
      amount(
        "Amount to refund, excluding tax, in minor units of the records' `currency`. It is spread over the records in proportion to what is left of them. Without `amount` and `rows`, all that is left is refunded.",
      ),
    ),
    rows: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Type.String({
              minLength: 1,
              maxLength: 255,
              description: 'Id of a record of the transaction.',
            }),
            amount: Type.Optional(
              amount('Amount to refund for this record. The default is all that is left of it.'),
            ),
          },
          { title: 'RefundedRecord', description: 'Record to refund.', ...nullIsAbsent },
        ),
        { minItems: 1, maxItems: maxRows, description: 'Records to refund, for a split transaction.' },
      ),
    ),
    reason,
    occurredAt: Type.Optional(
      timestamp('Time at which the buyer got the money back. The default is the time of the request.'),
    ),
  },
  {
    title: 'NewRefund',
    description: 'Refund of a transaction or of part of it.',
    additionalProperties: false,
    ...nullIsAbsent,
  },
);

const wholeAmount = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

export const refund = Type.Object(
  {
    refundId: Type.String({
      description:
        'Your id. For a status change or a clawback, an id that the service assigned. Use the id to reinstate the refund.',
    }),
    transactionId,
    source: Type.String({
      enum: ['Refund', 'StatusChange', 'Clawback'],
      description:
        'Action that took the amounts back: a refund with your `refundId`, a status change, or a clawback of a record that was already paid.',
    }),
    reason,
    amount: Type.Optional(
      wholeAmount('Amount of all records, in minor units. Absent if the records are in several currencies.'),
    ),
    currency: Type.Optional(currency('Currency of `amount`.')),
    occurredAt: Type.String({
      format: 'date-time',
      description: 'Time at which the buyer got the money back.',
    }),
    createdAt: Type.String({ format: 'date-time', description: 'Time at which the refund was recorded.' }),
    rows: Type.Array(
      Type.Object(
        {
          id: Type.String({ format: 'uuid', description: 'Id of the record.' }),
          amount: wholeAmount(
            'Part of `subtotal` that was refunded, in minor units of `currency`; 0 if an earlier refund had taken everything.',
          ),
          currency: currency('Currency of the record.'),
          memberShareAmount: Type.Integer({
            minimum: 0,
            description: "Part of the member's share that was taken back, in minor units of `currency`.",
          }),
        },
        { title: 'RefundPart', description: 'Part of a record that was refunded.' },
      ),
    ),
    reinstatedAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Time at which the refund was reinstated. Absent while the refund is in effect.',
      }),
    ),
  },
  { title: 'Refund', description: 'Refund of a transaction or of part of it.' },
);

export function toRefund({ rows, ...refunded }: PurchaseRefund): Static<typeof refund> {
  const [first] = rows;
  const isOneCurrency = rows.every(({ currency: each }) => each === first?.currency);
  const sum = rows.reduce((total, { amountMinor }) => total + amountMinor, 0n);
  // The sum of a split may be too large for a JSON number.
  const hasAmount = first !== undefined && isOneCurrency && sum <= BigInt(Number.MAX_SAFE_INTEGER);
  return {
    refundId: refunded.refundId,
    transactionId: refunded.transactionId,
    source: refunded.source,
    reason: refunded.reversal,
    ...(hasAmount && { amount: Number(sum), currency: first.currency }),
    occurredAt: refunded.occurredAt.toISOString(),
    createdAt: refunded.createdAt.toISOString(),
    rows: rows.map((row) => ({
      id: row.attributionId,
      amount: Number(row.amountMinor),
      currency: row.currency,
      memberShareAmount: Number(row.shareMinor),
    })),
    ...(refunded.reinstated !== null && { reinstatedAt: refunded.reinstated.at.toISOString() }),
  };
}
