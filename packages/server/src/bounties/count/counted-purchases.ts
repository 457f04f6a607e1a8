import { type RawBuilder, sql } from 'kysely';
import { standing } from '../../members/standing.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';

interface Counted {
  publisherId: string;
  /** `from` clause that provides the attribution `a`. */
  rows: RawBuilder<unknown>;
  condition: RawBuilder<unknown>;
  /** True if an objective may count new players. */
  countsNewPlayers: boolean;
  /** Condition for the objectives `o`. Defaults to all objectives. */
  objectives?: RawBuilder<unknown>;
}

/**
 * Returns the query for the contributions from purchases: one per purchase, objective and member, even if
 * several rows of the purchase credit the member. Only what is left of a row counts. Lookups for a row are subqueries by key, because the
 * planner could choose a different join if its statistics are out of date.
 */
export const countedPurchases = ({
  publisherId,
  rows,
  condition,
  countsNewPlayers,
  objectives = sql`true`,
}: Counted): RawBuilder<unknown> => sql`
  with a as materialized (
    select a.attribution_id, a.group_id, a.transaction_id, a.transaction_date, a.currency, a.sku_id,
           a.subtotal_minor - coalesce(p.refunded_minor, 0) as left_minor,
           (select ${standing('m')} from membership m
            where m.publisher_id = ${publisherId} and m.membership_id = a.membership_id) as membership_id,
           ${
             countsNewPlayers
               ? sql`a.transaction_id = (select f.transaction_id from player_first_purchase f
                                         where f.publisher_id = ${publisherId} and f.player_id = a.player_id)`
               : sql`false`
           } as is_first
    from ${rows}
    left join lateral (
      select p.reversed_at, p.refunded_minor
      from payment p
      where p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
      offset 0
    ) p on true
    where p.reversed_at is null and ${condition}
  )
  select o.objective_id, a.membership_id, a.transaction_id as source_id,
         array_agg(a.attribution_id order by a.attribution_id) as row_ids,
         case o.condition when 'Count' then 1 else sum(a.left_minor) end as value, null::timestamptz as occurred_at
  from a
  join bounty b
    on b.publisher_id = ${publisherId} and b.group_id = a.group_id
   and a.transaction_date >= b.starts_at and (b.ends_at is null or a.transaction_date < b.ends_at)
  join bounty_objective o
    on o.publisher_id = ${publisherId} and o.bounty_id = b.bounty_id and o.removed_at is null
   and (o.type = 'Purchase' or (o.type = 'NewPlayers' and a.is_first))
   and (o.currency is null or o.currency = a.currency)
   and (o.sku_ids = '{}' or a.sku_id = any(o.sku_ids))
  where ${objectives}
  group by o.objective_id, o.condition, a.membership_id, a.transaction_id`;

/**
 * Saves each new player's first purchase in the given rows: the purchase that was recorded first.
 * @param rows from clause with the attribution `a`
 */
export async function saveFirstPurchases(
  tx: Tx,
  publisherId: string,
  rows: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into player_first_purchase (publisher_id, player_id, transaction_id)
    select distinct on (a.player_id collate "C") ${publisherId}, a.player_id, a.transaction_id
    from ${rows}
    where a.publisher_id = ${publisherId} and a.player_id <> ''
    order by a.player_id collate "C", a.attribution_id
    on conflict (publisher_id, player_id) do nothing`.execute(tx);
}
