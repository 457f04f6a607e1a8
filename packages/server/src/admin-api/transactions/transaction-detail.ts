import type { Static } from 'typebox';
import { millionthsToPercent } from '../../platform/percent.ts';
import type { Explanation } from '../../settlement/explain-shares.ts';
import type { NamedSource, SourceNames } from '../../settlement/source-names.ts';
import type { RowPayment } from './read-money.ts';
import type { ShownRow, ShownTransaction } from './show-transaction.ts';
import { toTransactionRow, type transactionDetail } from './transaction-schemas.ts';

type Detail = Static<typeof transactionDetail>;

/**
 * Converts a transaction to the API's response.
 * @param isMasked true to leave out the buyer's id and name
 */
export const toDetail = (
  { transactionId, recordedAt, rows, names, refunds }: ShownTransaction,
  isMasked: boolean,
): Detail => ({
  transactionId,
  recordedAt,
  rows: rows.map((row) => toRow(row, names, isMasked)),
  refunds: refunds.map((refund) => ({
    refundId: refund.refundId,
    source: refund.source,
    action: refund.reversal,
    at: refund.createdAt,
    reinstatedAt: refund.reinstated?.at ?? null,
    reinstatedFor: refund.reinstated?.reason ?? null,
    rows: refund.rows.map(({ attributionId, currency, amountMinor, shareMinor }) => ({
      attributionId,
      currency,
      amountMinor,
      shareMinor,
    })),
  })),
});

const toRow = (
  { credited, explanation, money }: ShownRow,
  names: SourceNames,
  isMasked: boolean,
): Detail['rows'][number] => ({
  row: toTransactionRow(credited, isMasked),
  state: explanation.state,
  explanation: toExplanation(explanation, names),
  payment: money.payment === null ? null : toPayment(money.payment),
  ledger: money.ledger.map(({ kind, amountMinor, at, isOfRowAlone }) => ({
    kind,
    amountMinor,
    at,
    isOfRowAlone,
  })),
  refunds: money.refunds,
  hold: money.hold && {
    holdId: money.hold.holdId,
    reason: money.hold.reason,
    endsAt: money.hold.endsAt,
    placedAt: money.hold.placedAt,
    placedBy: money.hold.placedBy,
  },
});

const toExplanation = (
  { usesPlayerCode, offers, decided, subtotalMinor, currency }: Explanation,
  names: SourceNames,
): Detail['rows'][number]['explanation'] => ({
  usesPlayerCode,
  offers: offers.map(({ rule, offer }) => ({
    rule,
    percent: offer === null ? null : millionthsToPercent(offer.shareMillionths),
    sourceId: offer?.source ?? null,
    sourceName: nameOf(names.get(offer?.source ?? '')),
  })),
  rule: decided.rule,
  percent: millionthsToPercent(decided.shareMillionths),
  subtotalMinor,
  exact: decided.exact,
  shareMinor: decided.shareMinor,
  currency,
});

const nameOf = (source: NamedSource | undefined): string | null => {
  if (source === undefined) return null;
  return 'name' in source ? source.name : `${source.startsAt.toISOString()} – ${source.endsAt.toISOString()}`;
};

const toPayment = ({ payout, ...payment }: RowPayment): NonNullable<Detail['rows'][number]['payment']> => ({
  isFraud: payment.isFraud,
  reversedAt: payment.reversedAt,
  paidAt: payment.paidAt,
  payableAt: payment.payableAt,
  externalPaymentId: payment.externalPaymentId,
  payout: payout && {
    payoutId: payout.payoutId,
    status: payout.status,
    paidAt: payout.paidAt,
  },
});
