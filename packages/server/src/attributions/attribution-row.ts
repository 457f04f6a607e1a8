import type { AttributionId } from '../platform/database/tables.generated.ts';
import { millionthsToPercent } from '../platform/percent.ts';
import type { EventPayload } from '../webhooks/event-text.ts';
import type { Metrics, Origin, TransactionRecord, TransactionStatus } from './transaction-schema.ts';

/** One row of the table attribution, with what answers show of the rows beside it. */
export interface AttributionRow {
  attributionId: AttributionId;
  groupId: string;
  transactionId: string;
  /** 0 for the row that claims the purchase; a split's further rows count on. */
  splitIndex: number;
  code: string;
  /** The credited member's player id as it is now. */
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
  /** The percent sent with the row, in millionths of the whole. */
  sentShareMillionths: number | null;
  isPaid: boolean;
  /** What is shown of the row's share: null until the row is posted, and for Test rows. */
  shareMillionths: number | null;
  shareMinor: bigint | null;
}

/** The row as every operation answers it. Amounts are at most 2^53 − 1, so a JSON number holds them. */
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
 * The row as events tell of it: the transaction record with its group, and without `metrics`, whose numbers need
 * not survive a JSON round trip.
 */
export function toTransactionEvent(row: AttributionRow): EventPayload {
  const { metrics, ...transaction } = toTransactionRecord(row).transaction;
  return { groupId: row.groupId, ...transaction };
}

/** jsonb keeps no order of properties: give them the contract's. */
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
