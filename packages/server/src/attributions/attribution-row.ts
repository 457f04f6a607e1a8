import type { AttributionId } from '../platform/database/tables.generated.ts';
import { millionthsToPercent } from '../platform/percent.ts';
import type { EventPayload } from '../webhooks/event-text.ts';
import type { Metrics, Origin, TransactionRecord, TransactionStatus } from './transaction-schema.ts';

/** Row of the table `attribution`, with the fields that responses include from related rows. */
export interface AttributionRow {
  attributionId: AttributionId;
  groupId: string;
  transactionId: string;
  /** 0 for the purchase key; the other rows of a split are numbered from 1. */
  splitIndex: number;
  code: string;
  memberPlayerId: string | null;
  description: string;
  status: TransactionStatus;
  origin: Origin;
  subtotalMinor: bigint;
  currency: string;
  totalMinor: bigint;
  totalCurrency: string;
  transactionDate: Date;
  platform: string | null;
  playerId: string | null;
  playerName: string | null;
  skuId: string | null;
  metrics: Metrics | null;
  /** Share sent with the purchase, in millionths. */
  sentShareMillionths: number | null;
  isPaid: boolean;
  /** Share shown in responses. Null until the row is posted; always null for Test rows. */
  shareMillionths: number | null;
  shareMinor: bigint | null;
  /** Part of the subtotal that was refunded, marked as fraud or charged back. */
  refundedMinor: bigint;
  /** Part of the share that was taken back with it. */
  reversedShareMinor: bigint;
}

/**
 * Converts a row to the form used in responses. Amounts are at most 2^53 − 1, so they are exact as JSON
 * numbers.
 */
export function toTransactionRecord(row: AttributionRow): TransactionRecord {
  const percent = row.shareMillionths ?? row.sentShareMillionths;
  return {
    transaction: {
      id: row.attributionId,
      code: row.code,
      ...(row.memberPlayerId !== null && { memberPlayerId: row.memberPlayerId }),
      description: row.description,
      status: row.status,
      origin: row.origin,
      subtotal: Number(row.subtotalMinor),
      currency: row.currency,
      total: Number(row.totalMinor),
      totalCurrency: row.totalCurrency,
      transactionId: row.transactionId,
      transactionDate: row.transactionDate.toISOString(),
      ...(row.platform !== null && { platform: row.platform }),
      ...(row.playerId !== null && { playerId: row.playerId }),
      ...(row.playerName !== null && { playerName: row.playerName }),
      ...(row.metrics !== null && { metrics: inOrder(row.metrics) }),
      ...(row.shareMinor !== null && { memberShareAmount: Number(row.shareMinor) }),
      ...(percent !== null && { memberSharePercent: millionthsToPercent(percent) }),
      memberPaid: row.isPaid,
      ...(row.skuId !== null && { skuId: row.skuId }),
    },
  };
}

/**
 * Converts a row to the payload of its events: the transaction record and the id of its group. Leaves out
 * `metrics`, because numbers in metrics may not survive a JSON round trip.
 */
export function toTransactionEvent(row: AttributionRow): EventPayload {
  const { metrics, ...transaction } = toTransactionRecord(row).transaction;
  return { groupId: row.groupId, ...transaction };
}

/** Puts the properties of metrics in the contract's order, which jsonb doesn't preserve. */
function inOrder({ joinDate, conversion }: Metrics): Metrics {
  const { lastPurchase, totalSpendToDate } = conversion ?? {};
  return {
    ...(joinDate !== undefined && { joinDate }),
    ...(conversion !== undefined && {
      conversion: {
        ...(lastPurchase !== undefined && {
          lastPurchase: {
            ...(lastPurchase.date !== undefined && { date: lastPurchase.date }),
            ...(lastPurchase.platform !== undefined && { platform: lastPurchase.platform }),
          },
        }),
        ...(totalSpendToDate !== undefined && {
          totalSpendToDate: { total: totalSpendToDate.total, currency: totalSpendToDate.currency },
        }),
      },
    }),
  };
}
