import { type Static, Type } from 'typebox';
import { origins, statuses } from '../../attributions/transaction-schema.ts';
import { millionthsToPercent } from '../../platform/percent.ts';
import { shareRules } from '../../revenue-shares/resolve-share.ts';
import { holdTerms } from '../holds/hold-schemas.ts';
import { minor, nullable, oneOf, time } from '../schemas.ts';
import type { Credited } from './credited.ts';

export const creator = Type.Object(
  { memberId: Type.String({ description: "The account's id." }), name: Type.String() },
  { title: 'CreditedCreator', description: "Credited creator, with the account's current name." },
);

export const status = Type.String({ enum: [...statuses], description: 'Status of the row.' });

const percent = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `${description} 12.5 means 12.5 percent.` });

const rowFields = {
  attributionId: Type.String({ format: 'uuid', description: 'Id of the row.' }),
  transactionId: Type.String({ description: "The publisher's id for the purchase." }),
  splitIndex: Type.Integer({ minimum: 0, description: 'Index of the row within a split, from 0.' }),
  groupId: Type.String(),
  creator,
  code: Type.String({ description: 'The credited code.' }),
  status,
  origin: Type.String({ enum: [...origins], description: 'Source of the purchase.' }),
  description: Type.String(),
  subtotalMinor: minor('Amount from which the share is calculated.'),
  currency: Type.String({ description: 'Currency of the subtotal and the share.' }),
  totalMinor: minor('Amount the buyer paid.'),
  totalCurrency: Type.String({ description: 'Currency of the total.' }),
  sharePercent: nullable(percent('Share percentage; null until the row is posted.')),
  shareMinor: nullable(minor('Share; null until the row is posted, and for test purchases.')),
  refundedMinor: minor('Part of the subtotal that was refunded, marked as fraud or charged back.'),
  reversedShareMinor: minor('Part of the share that was taken back with it.'),
  isPaid: Type.Boolean({ description: 'True if the share was paid out.' }),
  isOnHold: Type.Boolean({
    description:
      'True if an open hold on the row keeps it out of payouts. Holds on its creator do not count.',
  }),
  transactionDate: time('Time of the purchase.'),
  platform: nullable(Type.String()),
  skuId: nullable(Type.String()),
  playerId: nullable(Type.String({ description: 'Id of the buyer; null for roles that do not see buyers.' })),
  playerName: nullable(
    Type.String({ description: 'Name of the buyer; null for roles that do not see buyers.' }),
  ),
};

export const transactionRow = Type.Object(rowFields, {
  title: 'TransactionRow',
  description: 'Row of a purchase, which credits one creator.',
});

export type TransactionRow = Static<typeof transactionRow>;

/**
 * Converts a row to the API's response.
 * @param isMasked true to leave out the buyer's id and name
 */
export function toTransactionRow(
  { row, creator: credited, isOnHold }: Credited,
  isMasked: boolean,
): TransactionRow {
  return {
    attributionId: row.attributionId,
    transactionId: row.transactionId,
    splitIndex: row.splitIndex,
    groupId: row.groupId,
    creator: credited,
    code: row.code,
    status: row.status,
    origin: row.origin,
    description: row.description,
    subtotalMinor: row.subtotalMinor,
    currency: row.currency,
    totalMinor: row.totalMinor,
    totalCurrency: row.totalCurrency,
    sharePercent: row.shareMillionths === null ? null : millionthsToPercent(row.shareMillionths),
    shareMinor: row.shareMinor === null ? null : String(row.shareMinor),
    refundedMinor: row.refundedMinor,
    reversedShareMinor: row.reversedShareMinor,
    isPaid: row.isPaid,
    isOnHold,
    transactionDate: row.transactionDate,
    platform: row.platform,
    skuId: row.skuId,
    playerId: isMasked ? null : row.playerId,
    playerName: isMasked ? null : row.playerName,
  };
}

export const explanation = Type.Object(
  {
    usesPlayerCode: Type.Boolean({
      description:
        'True if the purchase was sent with `@player`, and credited to the code that its player had entered.',
    }),
    offers: Type.Array(
      Type.Object(
        {
          rule: Type.String({ enum: [...shareRules] }),
          percent: nullable(
            percent('Share that the rule offered when the row was recorded; null if it offered none.'),
          ),
          sourceId: nullable(
            Type.String({ description: 'Id of the SKU, schedule, tier or group that the rule used.' }),
          ),
          sourceName: nullable(Type.String({ description: 'Current name of this source.' })),
        },
        { title: 'RuleOffer', description: 'Offer of one of the six rules.' },
      ),
      { description: 'All six rules, most specific first. The first rule with an offer decides.' },
    ),
    rule: Type.String({ enum: [...shareRules], description: 'Rule that decided the share.' }),
    percent: percent('Share percentage that applies.'),
    subtotalMinor: minor('Amount from which the share is calculated.'),
    exact: Type.String({
      pattern: '^[0-9]+(\\.[0-9]+)?$',
      description: 'Subtotal × percent before rounding, in minor units.',
    }),
    shareMinor: minor('Share, rounded half-even.'),
    currency: Type.String(),
  },
  {
    title: 'ShareExplanation',
    description: 'Explanation of a row’s share, based on the offers stored with the row.',
  },
);

const payout = Type.Object(
  {
    payoutId: Type.String({ format: 'uuid' }),
    status: Type.String(),
    paidAt: nullable(time('Time the payout was marked as paid.')),
  },
  { title: 'PayoutOfRow', description: 'Payout that includes a row.' },
);

const payment = Type.Object(
  {
    isFraud: Type.Boolean(),
    reversedAt: nullable(time('Time of the reversal.')),
    paidAt: nullable(time('Time of the payment.')),
    payableAt: nullable(
      time('Earliest time at which a payout can include the row, if later than its posting.'),
    ),
    externalPaymentId: nullable(Type.String({ description: 'Id of a payment made outside the service.' })),
    payout: nullable(payout),
  },
  { title: 'RowPayment', description: 'Payment state of a row.' },
);

const ledgerEntry = Type.Object(
  {
    kind: Type.String({ description: 'payment, refund, adjustment or reinstatement.' }),
    amountMinor: minor("Amount added to the creator's balance."),
    at: time('Time the entry was written.'),
    isOfRowAlone: Type.Boolean({
      description: "False if the entry is the sum of all of the creator's rows that were posted together.",
    }),
  },
  { title: 'RowLedgerEntry', description: 'Ledger entry that includes a row.' },
);

const purchaseRefund = Type.Object(
  {
    refundId: Type.String({
      description:
        "The publisher's id for a refund; for a status change or a clawback, an id that the service assigned.",
    }),
    source: oneOf(['Refund', 'StatusChange', 'Clawback'] as const, {
      title: 'RefundSource',
      description: 'Action that took the amounts back.',
    }),
    action: Type.String({ description: 'Refund, Fraud or Chargeback.' }),
    at: time('Time of the refund.'),
    reinstatedAt: nullable(time('Time of the reinstatement; null while the refund is in effect.')),
    reinstatedFor: nullable(Type.String({ description: 'Reason for the reinstatement.' })),
    rows: Type.Array(
      Type.Object(
        {
          attributionId: Type.String({ format: 'uuid' }),
          currency: Type.String(),
          amountMinor: minor(
            'Part of the subtotal that was refunded; 0 if an earlier refund had taken everything.',
          ),
          shareMinor: minor('Part of the share that was taken back.'),
        },
        { title: 'RowOfRefund' },
      ),
    ),
  },
  { title: 'PurchaseRefund', description: 'Refund, status change or clawback of a purchase.' },
);

const refundRecord = Type.Object(
  {
    action: Type.String(),
    reversesMoney: Type.Boolean({ description: 'False for a repeated reversal, which took back nothing.' }),
    refundId: nullable(
      Type.String({ description: "The publisher's id for the refund; null for a status change." }),
    ),
    amountMinor: minor('Part of the subtotal that was refunded.'),
    shareMinor: minor('Part of the share that was taken back.'),
    at: time('Time of the reversal.'),
  },
  { title: 'RefundRecord', description: 'Reversal of a row or of a part of it.' },
);

export const transactionEvent = Type.Object(
  {
    attributionId: Type.String({ format: 'uuid', description: 'Id of the row.' }),
    eventId: Type.String({ format: 'uuid' }),
    kind: Type.String(),
    at: time('Time of the event.'),
    deliveries: Type.Array(
      Type.Object({ endpointId: Type.String(), status: Type.String() }, { title: 'EventDelivery' }),
    ),
  },
  { title: 'TransactionEvent', description: 'Webhook event about a row.' },
);

export const transactionDetail = Type.Object(
  {
    transactionId: Type.String(),
    recordedAt: time('Time the service recorded the row.'),
    rows: Type.Array(
      Type.Object(
        {
          row: transactionRow,
          state: Type.String({
            enum: ['posted', 'waiting', 'test'],
            description: 'waiting: recorded, and will be posted within seconds.',
          }),
          explanation,
          payment: nullable(payment),
          ledger: Type.Array(ledgerEntry),
          refunds: Type.Array(refundRecord),
          hold: nullable(
            Type.Object(holdTerms, {
              title: 'HoldOfRow',
              description: 'Open hold, which keeps the row out of payouts; null if there is none.',
            }),
          ),
        },
        {
          title: 'ExplainedRow',
          description: 'Row with its explanation, payment, ledger entries, refunds and hold.',
        },
      ),
    ),
    refunds: Type.Array(purchaseRefund, {
      description: 'Everything that was taken back from the purchase, oldest first.',
    }),
  },
  { title: 'TransactionDetail', description: 'Purchase with all its rows.' },
);

export const rowOutcome = Type.Object(
  {
    attributionId: Type.String({ format: 'uuid' }),
    outcome: Type.String({
      enum: ['updated', 'paid-out', 'not-reached'],
      description: 'paid-out: the row at which the reversal stopped. not-reached: a row after that one.',
    }),
  },
  { title: 'RowOutcome', description: 'Outcome for a row.' },
);
