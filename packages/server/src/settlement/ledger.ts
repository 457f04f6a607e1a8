import { type RawBuilder, sql } from 'kysely';
import { looksRareToPlanner } from './pin-plans.ts';

/**
 * Returns the CTEs that a statement needs to move money. They insert ledger entries and add the amounts to the
 * balances. No other code writes to the ledger or the balances (scripts/check-tables.ts enforces this). The caller must
 * have locked the memberships.
 * @param entry a relation with the columns subject_id uuid, kind text, membership_id uuid, currency text and
 * amount_minor, defined in the same statement
 * @param earliest an aggregate over a member's entries in one currency that returns the earliest date of a row that
 * becomes payable. Payouts read the member's rows starting at that date. Omit it if no row becomes payable.
 */
export const posting = (
  publisherId: string,
  entry: string,
  earliest: RawBuilder<unknown> = sql`null::timestamptz`,
): RawBuilder<unknown> => sql`
  posted as (
    insert into ledger_entry (publisher_id, subject_id, kind, membership_id, currency, amount_minor)
    select ${publisherId}, subject_id, kind, membership_id, currency, amount_minor from ${sql.table(entry)}
    returning 1
  ),
  owed as materialized (
    select sums.*, known.is_known
    from (
      select membership_id, currency, sum(amount_minor) as amount_minor, ${earliest} as unpaid_from
      from ${sql.table(entry)}
      group by membership_id, currency
    ) sums
    left join lateral (
      select true as is_known
      from member_balance b
      where b.publisher_id = ${publisherId} and b.membership_id = sums.membership_id and b.currency = sums.currency
      offset 0
    ) known on true
  ),
  -- The insert below could do this too, but it would lock each row first, which writes WAL as well.
  balanced as (
    update member_balance b
    set balance_minor = b.balance_minor + owed.amount_minor, unpaid_from = least(b.unpaid_from, owed.unpaid_from)
    from owed
    where owed.is_known and ${looksRareToPlanner('owed.currency', 'owed.membership_id')}
      and b.publisher_id = ${publisherId} and b.membership_id = owed.membership_id and b.currency = owed.currency
    returning 1
  ),
  opened as (
    insert into member_balance as b (publisher_id, membership_id, currency, balance_minor, unpaid_from)
    select ${publisherId}, membership_id, currency, amount_minor, unpaid_from
    from owed
    where is_known is null
    order by membership_id, currency
    on conflict (publisher_id, membership_id, currency) do update
      set balance_minor = b.balance_minor + excluded.balance_minor,
          unpaid_from = least(b.unpaid_from, excluded.unpaid_from)
    returning 1
  )`;

/**
 * Returns the CTE that raises members' marks after the statement has assigned their rows. The caller must have locked
 * the memberships.
 * @param rows a relation with the columns membership_id uuid, currency text and unpaid_from timestamptz, defined in the
 * same statement, with one row for each member and currency
 * @param from the lowest mark to change; null for all
 */
export const raisingMarks = (
  publisherId: string,
  rows: string,
  from: Date | null,
): RawBuilder<unknown> => sql`
  raised as (
    update member_balance b
    set unpaid_from = r.unpaid_from
    from ${sql.table(rows)} r
    where b.publisher_id = ${publisherId} and b.membership_id = r.membership_id and b.currency = r.currency
      and b.unpaid_from < r.unpaid_from
      and ${from === null ? sql`true` : sql`b.unpaid_from >= ${from}`}
  )`;

/**
 * Returns the CTE that lowers members' marks after the statement has made their rows payable again. The caller must
 * have locked the memberships.
 * @param rows same as in `raisingMarks`
 */
export const loweringMarks = (publisherId: string, rows: string): RawBuilder<unknown> => sql`
  lowered as (
    update member_balance b
    set unpaid_from = r.unpaid_from
    from ${sql.table(rows)} r
    where b.publisher_id = ${publisherId} and b.membership_id = r.membership_id and b.currency = r.currency
      and (b.unpaid_from is null or b.unpaid_from > r.unpaid_from)
  )`;
