import { type Static, Type } from 'typebox';
import { origins, statuses } from '../../attributions/transaction-schema.ts';
import { millionthsToPercent } from '../../platform/percent.ts';
import { shareRules } from '../../revenue-shares/resolve-share.ts';
import { minor, nullable, time } from '../schemas.ts';
import type { Credited } from './credited.ts';

export const creator = Type.Object(
  { memberId: Type.String({ description: "The account's id." }), name: Type.String() },
  { title: 'CreditedCreator', description: 'Who is credited, as the account is called now.' },
);

export const status = Type.String({ enum: [...statuses], description: 'Of the row.' });

const percent = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `${description} 12.5 is 12.5 percent.` });

const rowFields = {
  attributionId: Type.String({ format: 'uuid', description: 'Id of the row.' }),
  transactionId: Type.String({ description: "The publisher's id of the purchase." }),
  splitIndex: Type.Integer({ minimum: 0, description: 'Which row of a split: 0 is the first.' }),
  groupId: Type.String(),
  creator,
  code: Type.String({ description: 'The credited code.' }),
  status,
  origin: Type.String({ enum: [...origins], description: 'Where the row came from.' }),
  description: Type.String(),
  subtotalMinor: minor('What the share is of.'),
  currency: Type.String({ description: 'Of subtotal and share.' }),
  totalMinor: minor('What the buyer paid.'),
  totalCurrency: Type.String({ description: 'Of the total.' }),
  sharePercent: nullable(percent('What applies; null while the row is not posted.')),
  shareMinor: nullable(minor('The share; null while the row is not posted, and of Test rows.')),
  isPaid: Type.Boolean({ description: 'Whether the share was paid out.' }),
  transactionDate: time('When the purchase was made.'),
  platform: nullable(Type.String()),
  skuId: nullable(Type.String()),
  playerId: nullable(Type.String({ description: "The buyer's; null for roles that do not see buyers." })),
  playerName: nullable(Type.String({ description: "The buyer's; null for roles that do not see buyers." })),
};

export const transactionRow = Type.Object(rowFields, {
  title: 'TransactionRow',
  description: 'A row of a purchase: what one creator is credited with.',
});

export type TransactionRow = Static<typeof transactionRow>;

/** @param isMasked whether the buyer's id and name are left out */
export function toTransactionRow({ row, creator: credited }: Credited, isMasked: boolean): TransactionRow {
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
    subtotalMinor: String(row.subtotalMinor),
    currency: row.currency,
    totalMinor: String(row.totalMinor),
    totalCurrency: row.totalCurrency,
    sharePercent: row.shareMillionths === null ? null : millionthsToPercent(row.shareMillionths),
    shareMinor: row.shareMinor === null ? null : String(row.shareMinor),
    isPaid: row.isPaid,
    transactionDate: row.transactionDate.toISOString(),
    platform: row.platform,
    skuId: row.skuId,
    playerId: isMasked ? null : row.playerId,
    playerName: isMasked ? null : row.playerName,
  };
}

export const explanation = Type.Object(
  {
    offers: Type.Array(
      Type.Object(
        {
          rule: Type.String({ enum: [...shareRules] }),
          percent: nullable(percent('What the rule said when the row was recorded; null: nothing.')),
          sourceId: nullable(
            Type.String({ description: 'What the rule read: a SKU, a schedule, a tier, a group.' }),
          ),
          sourceName: nullable(Type.String({ description: 'What that is called today.' })),
        },
        { title: 'RuleOffer', description: 'What one of the six rules said.' },
      ),
      { description: 'All six, the most specific first; the first that says something decides.' },
    ),
    rule: Type.String({ enum: [...shareRules], description: 'The one that decided.' }),
    percent: percent('The one that applies.'),
    subtotalMinor: minor('What it is of.'),
    exact: Type.String({
      pattern: '^[0-9]+(\\.[0-9]+)?$',
      description: 'subtotal × percent before rounding, in minor units.',
    }),
    shareMinor: minor('The same, rounded half-even.'),
    currency: Type.String(),
  },
  { title: 'ShareExplanation', description: 'Why a row earns what it earns, from what the row keeps.' },
);

const payout = Type.Object(
  {
    payoutId: Type.String({ format: 'uuid' }),
    status: Type.String(),
    paidAt: nullable(time('When it was marked as paid.')),
  },
  { title: 'PayoutOfRow', description: 'The payout that a row is in.' },
);

const payment = Type.Object(
  {
    isFraud: Type.Boolean(),
    reversedAt: nullable(time('When its money went back.')),
    paidAt: nullable(time('When it was paid out.')),
    payableAt: nullable(time('From when on it counts for payouts, where that is later than its posting.')),
    externalPaymentId: nullable(Type.String({ description: 'Of a payment made elsewhere.' })),
    payout: nullable(payout),
  },
  { title: 'RowPayment', description: 'What happened to the money of a row.' },
);

const ledgerEntry = Type.Object(
  {
    kind: Type.String({ description: 'payment, refund, adjustment.' }),
    amountMinor: minor('What it added to the balance.'),
    at: time('When it was written.'),
    isOfRowAlone: Type.Boolean({
      description: "False: one entry is of all of the creator's rows that were posted together.",
    }),
  },
  { title: 'RowLedgerEntry', description: 'An entry of the ledger that a row is in.' },
);

const refundRecord = Type.Object(
  {
    action: Type.String(),
    reversesMoney: Type.Boolean({ description: 'Only the first does.' }),
    at: time('When it was said.'),
  },
  { title: 'RefundRecord', description: 'One time that a row was reversed.' },
);

export const toldEvent = Type.Object(
  {
    attributionId: Type.String({ format: 'uuid', description: 'The row that it tells of.' }),
    eventId: Type.String({ format: 'uuid' }),
    kind: Type.String(),
    at: time('When it was made.'),
    deliveries: Type.Array(
      Type.Object({ endpointId: Type.String(), status: Type.String() }, { title: 'EventDelivery' }),
    ),
  },
  { title: 'ToldEvent', description: 'A webhook event about a row.' },
);

export const transactionDetail = Type.Object(
  {
    transactionId: Type.String(),
    recordedAt: time('When the service recorded it.'),
    rows: Type.Array(
      Type.Object(
        {
          row: transactionRow,
          state: Type.String({
            enum: ['posted', 'waiting', 'test'],
            description: 'waiting: it is recorded and will count within seconds.',
          }),
          explanation,
          payment: nullable(payment),
          ledger: Type.Array(ledgerEntry),
          refunds: Type.Array(refundRecord),
        },
        { title: 'ExplainedRow', description: 'A row with all that is known of it.' },
      ),
    ),
  },
  { title: 'TransactionDetail', description: 'A purchase with all its rows.' },
);

export const rowOutcome = Type.Object(
  {
    attributionId: Type.String({ format: 'uuid' }),
    outcome: Type.String({
      enum: ['updated', 'paid-out', 'not-reached'],
      description: 'paid-out: it stopped the walk; not-reached: it comes after that one.',
    }),
  },
  { title: 'RowOutcome', description: 'What became of a row.' },
);
