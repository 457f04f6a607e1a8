import type { AttributionId } from '../../platform/database/tables.generated.ts';
import type { ShareRule } from '../../revenue-shares/resolve-share.ts';
import type { Movement } from './statement.ts';

/** Exact calculation of a purchase's share. */
export interface LineArithmetic {
  code: string;
  skuId: string | null;
  purchasedAt: Date;
  subtotalMinor: bigint;
  shareMillionths: number;
  rule: ShareRule;
  shareMinor: bigint;
}

/** Ledger movement of a statement: a purchase, or something that happened to one, or a reward. */
export interface StatementLine {
  kind: Exclude<Movement, 'toPayouts' | 'fromPayouts' | 'claimed'>;
  /** When it was booked. */
  at: Date;
  /** Row of the purchase. Only its reference is shown. Null for rewards. */
  rowId: AttributionId | null;
  amountMinor: bigint;
  /** Null for rewards, and for entries whose purchase isn't found. */
  purchase: LineArithmetic | null;
}
