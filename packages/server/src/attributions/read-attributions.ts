import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import type { AttributionRow } from './attribution-row.ts';
import { joinCreditedMember } from './credited-member.ts';
import { isPosted } from './posted.ts';
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
  shows_share: boolean;
  share_millionths: number;
  share_minor: bigint;
  refunded_minor: bigint;
  reversed_share_minor: bigint;
}

const columns = (publisherId: string) => sql`
  a.attribution_id, a.group_id, a.transaction_id, a.split_index, a.code, m.player_id as member_player_id, a.description,
  a.status, a.origin, a.subtotal_minor, a.currency, coalesce(a.total_minor, a.subtotal_minor) as total_minor,
  coalesce(a.total_currency, a.currency) as total_currency, a.transaction_date, a.platform,
  a.player_id, a.player_name, a.sku_id, a.metrics, a.sent_share_millionths,
  coalesce(p.paid_at, b.paid_at) is not null as is_paid,
  not a.is_test and ${isPosted(publisherId, 'a')} as shows_share, a.share_millionths, a.share_minor,
  case when a.status in ('Normal', 'Test') then coalesce(p.refunded_minor, 0) else a.subtotal_minor end as refunded_minor,
  case when a.status in ('Normal', 'Test') then coalesce(p.reversed_minor, 0) else a.share_minor end as reversed_share_minor`;

/**
 * Builds a query that reads whole rows for a subquery of keys. Each row and its related rows are looked up by
 * key: `offset 0` keeps a planner without statistics from choosing another join. A row's member is the
 * membership that the row was recorded for, or the membership into which that membership was merged. A row
 * counts as paid once its payout is paid.
 */
const wholeRows = (publisherId: string, keys: RawBuilder<unknown>): RawBuilder<Row> => sql`
  select ${columns(publisherId)}
  from (${keys}) k
  cross join lateral (
    select * from attribution where publisher_id = ${publisherId} and attribution_id = k.attribution_id offset 0
  ) a
  ${joinCreditedMember(publisherId, 'a', 'player_id')}
  left join lateral (
    select paid_at, payout_batch_id, refunded_minor, reversed_minor
    from payment
    where publisher_id = ${publisherId} and attribution_id = a.attribution_id
    offset 0
  ) p on true
  left join lateral (
    select paid_at from payout_batch where publisher_id = ${publisherId} and batch_id = p.payout_batch_id offset 0
  ) b on true`;

/**
 * @param keys subquery of attribution_id and transaction_date
 * @param order `order by` clause for the result, in terms of `a`
 */
export async function readAttributions(
  db: Db | Tx,
  publisherId: string,
  keys: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<AttributionRow[]> {
  const { rows } = await sql<Row>`${wholeRows(publisherId, keys)} order by ${order}`.execute(db);
  return rows.map(toAttributionRow);
}

/** One page of rows and the total number of rows in the listing, from one snapshot. */
export interface CountedRows {
  rows: AttributionRow[];
  totalCount: number;
}

/**
 * Reads whole rows and the number of rows in the listing in one statement.
 * @param parts CTEs that `keys` and `total` refer to
 * @param order `order by` clause for the result, in terms of `r`
 */
export async function readCounted(
  db: Db,
  publisherId: string,
  { parts, keys, total, order }: Record<'parts' | 'keys' | 'total' | 'order', RawBuilder<unknown>>,
): Promise<CountedRows> {
  // An empty page still returns one row, which contains the total and otherwise nulls.
  const { rows } = await sql<(Row | Record<keyof Row, null>) & { total_count: bigint }>`
    with ${parts}
    select ${total} as total_count, r.*
    from (values (1)) always (one)
    left join (${wholeRows(publisherId, keys)}) r on true
    order by ${order}`.execute(db);
  return {
    rows: rows.filter((row) => row.attribution_id !== null).map(toAttributionRow),
    totalCount: Number(rows[0]?.total_count),
  };
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
  shareMillionths: row.shows_share ? row.share_millionths : null,
  shareMinor: row.shows_share ? row.share_minor : null,
  refundedMinor: row.refunded_minor,
  reversedShareMinor: row.reversed_share_minor,
});
