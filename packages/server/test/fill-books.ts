import { sql } from 'kysely';
import type { Db } from '../src/platform/database/database.ts';

export interface Books {
  /** Further members of the group, beside A. */
  members: number;
  /** Settled purchases of each, that earn a cent. */
  each: number;
  /** Those of A. */
  ofA: number;
  /** Whether the purchases are written, too; without them `ledger verify` cannot hold, and it is twice as quick. */
  withPurchases: boolean;
}

/** Writes what settlement would have written of many purchases of a group of aurora's. */
export async function fillBooks(
  db: Db,
  groupId: string,
  { members, each, ofA, withPurchases }: Books,
): Promise<void> {
  const prefix = `many_${groupId}_`;
  await sql`
    with account as (
      insert into creator_account (account_id, name, owner_publisher_id)
      select ${prefix}::text || n, 'Member ' || n, 'aurora' from generate_series(1, ${members}::int) n
      returning account_id
    )
    insert into membership (publisher_id, membership_id, group_id, account_id, status)
    select 'aurora', gen_random_uuid(), ${groupId}, account_id, 'Approved' from account`.execute(db);
  await sql`
    with bought as materialized (
      select gen_random_uuid() as attribution_id, m.account_id || '-' || n as transaction_id, m.membership_id,
             timestamptz '2024-05-01T00:00:00Z' + n * interval '1 minute' as transaction_date
      from membership m
      cross join lateral generate_series(1, case when m.account_id like ${`${prefix}%`} then ${each}::int else ${ofA}::int end) n
      where m.publisher_id = 'aurora' and m.group_id = ${groupId}
        and (m.account_id like ${`${prefix}%`} or m.account_id = ${`acc_${groupId}_A`})
    ),
    recorded as (
      insert into attribution (publisher_id, attribution_id, transaction_id, split_index, group_id, membership_id, code,
                               description, status, is_test, origin, subtotal_minor, currency, total_minor, total_currency,
                               transaction_date, group_share_millionths)
      select 'aurora', attribution_id, transaction_id, 0, ${groupId}, membership_id, 'MANY', '', 'Normal', false, 'api', 10,
             'USD', 10, 'USD', transaction_date, 100000
      from bought
      where ${withPurchases}
    ),
    paid as (
      insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date,
                           share_millionths, share_minor, share_rule, share_source, settled_at)
      select 'aurora', attribution_id, ${groupId}, membership_id, 'USD', transaction_date, 100000, 1, 'group', ${groupId}, now()
      from bought
    ),
    entered as (
      insert into ledger_entry (publisher_id, subject_id, kind, membership_id, currency, amount_minor)
      select 'aurora', attribution_id, 'payment', membership_id, 'USD', 1 from bought where ${withPurchases}
    ),
    balanced as (
      insert into member_balance (publisher_id, membership_id, currency, balance_minor)
      select 'aurora', membership_id, 'USD', count(*) from bought group by membership_id
    )
    insert into earning_rollup (publisher_id, group_id, day, membership_id, code, currency, row_count, gross_minor,
                                share_minor, reversed_count, reversed_gross_minor, reversed_share_minor)
    select 'aurora', ${groupId}, (transaction_date at time zone 'UTC')::date, membership_id, 'MANY', 'USD', count(*),
           10 * count(*), count(*), 0, 0, 0
    from bought
    where ${withPurchases}
    group by 3, 4`.execute(db);
  // As autovacuum would, but before it is too late for the first who reads.
  if (withPurchases) await sql`analyze attribution, payment, ledger_entry, membership`.execute(db);
}
