import { sql } from 'kysely';
import type { AttributionId } from '../../platform/database/tables.generated.ts';
import type { ShareRule } from '../../revenue-shares/resolve-share.ts';
import type { LineArithmetic } from './statement-line.ts';

export interface PurchaseRow {
  attribution_id: AttributionId;
  code: string;
  sku_id: string | null;
  transaction_date: Date;
  subtotal_minor: bigint;
  share_millionths: number;
  share_rule: ShareRule;
  share_minor: bigint;
}

/**
 * Columns of a purchase `a` in a statement's line. The buyer, the description and the `transactionId`, which lead to the buyer,
 * are left out, and so is the status, which changes.
 */
export const purchaseColumns = sql`
  a.attribution_id, a.code, a.sku_id, a.transaction_date, a.subtotal_minor, a.share_millionths, a.share_rule, a.share_minor`;

export const toArithmetic = (row: PurchaseRow): LineArithmetic => ({
  code: row.code,
  skuId: row.sku_id,
  purchasedAt: row.transaction_date,
  subtotalMinor: row.subtotal_minor,
  shareMillionths: row.share_millionths,
  rule: row.share_rule,
  shareMinor: row.share_minor,
});
