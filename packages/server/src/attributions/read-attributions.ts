import { type RawBuilder, sql } from 'kysely';
import { joinMember } from '../members/standing.ts';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AttributionRow } from './attribution-row.ts';

/** What answers show of a row, for a select from `attribution a` joined by `attributionJoins`. */
const columns = sql`
  a.attribution_id as "attributionId",
  a.group_id as "groupId",
  a.transaction_id as "transactionId",
  a.split_index as "splitIndex",
  a.code,
  m.player_id as "memberPlayerId",
  a.description,
  a.status,
  a.origin,
  a.subtotal_minor as "subtotalMinor",
  a.currency,
  a.total_minor as "totalMinor",
  a.total_currency as "totalCurrency",
  a.transaction_date as "transactionDate",
  a.platform,
  a.player_id as "playerId",
  a.player_name as "playerName",
  a.sku_id as "skuId",
  a.metrics,
  a.sent_share_millionths as "sentShareMillionths",
  coalesce(p.paid_at, b.paid_at) is not null as "isPaid",
  p.share_millionths as "shareMillionths",
  p.share_minor as "shareMinor"`;

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
  const { rows } = await sql<AttributionRow>`
    select ${columns}
    from (${keys}) k
    join attribution a on a.publisher_id = ${publisherId} and a.attribution_id = k.attribution_id
    ${joins}
    order by ${order}`.execute(db);
  return rows;
}
