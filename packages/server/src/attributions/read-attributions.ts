import { type RawBuilder, sql } from 'kysely';
import { joinMember } from '../members/standing.ts';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import type { AttributionRow } from './attribution-row.ts';
import type { Metrics, Origin, TransactionStatus } from './transaction-schema.ts';

interface Row {
  attribution_id: AttributionId;
  group_id: string;
  transaction_id: string;
  split_index: number;
  code: string;
  member_player_id: string | null;
  description: string;
  status: TransactionStatus;
  origin: Origin;
  subtotal_minor: bigint;
  currency: string;
  total_minor: bigint;
  total_currency: string;
  transaction_date: Date;
  platform: string | null;
  player_id: string | null;
  player_name: string | null;
  sku_id: string | null;
  metrics: Metrics | null;
  sent_share_millionths: number | null;
  is_paid: boolean;
  share_millionths: number | null;
  share_minor: bigint | null;
}

/** What answers show of a row, for a select from `attribution a` joined by `joins`. */
const columns = sql`
  a.attribution_id, a.group_id, a.transaction_id, a.split_index, a.code, m.player_id as member_player_id, a.description,
  a.status, a.origin, a.subtotal_minor, a.currency, a.total_minor, a.total_currency, a.transaction_date, a.platform,
  a.player_id, a.player_name, a.sku_id, a.metrics, a.sent_share_millionths,
  coalesce(p.paid_at, b.paid_at) is not null as is_paid, p.share_millionths, p.share_minor`;

/** A row's member is the membership it was recorded for, or the one that was merged into. It is paid as its payout is. */
const joins = sql`
  ${joinMember('a')}
  left join payment p on p.publisher_id = a.publisher_id and p.attribution_id = a.attribution_id
  left join payout_batch b on b.publisher_id = a.publisher_id and b.batch_id = p.payout_batch_id`;

/**
 * Reads whole rows.
 * @param keys a subquery of attribution_id and transaction_date; the publisher is named once more here
 * @param order how the rows come back, in terms of `a`
 */
export async function readAttributions(
  db: Db | Tx,
  publisherId: string,
  keys: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<AttributionRow[]> {
  const { rows } = await sql<Row>`
    select ${columns}
    from (${keys}) k
    join attribution a on a.publisher_id = ${publisherId} and a.attribution_id = k.attribution_id
    ${joins}
    order by ${order}`.execute(db);
  return rows.map(toAttributionRow);
}

const toAttributionRow = (row: Row): AttributionRow => ({
  attributionId: row.attribution_id,
  groupId: row.group_id,
  transactionId: row.transaction_id,
  splitIndex: row.split_index,
  code: row.code,
  memberPlayerId: row.member_player_id,
  description: row.description,
  status: row.status,
  origin: row.origin,
  subtotalMinor: row.subtotal_minor,
  currency: row.currency,
  totalMinor: row.total_minor,
  totalCurrency: row.total_currency,
  transactionDate: row.transaction_date,
  platform: row.platform,
  playerId: row.player_id,
  playerName: row.player_name,
  skuId: row.sku_id,
  metrics: row.metrics,
  sentShareMillionths: row.sent_share_millionths,
  isPaid: row.is_paid,
  shareMillionths: row.share_millionths,
  shareMinor: row.share_minor,
});
