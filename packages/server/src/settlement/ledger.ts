import { type RawBuilder, sql } from 'kysely';

/**
 * The part of a statement that moves money, as common table expressions: the ledger's entries, and with them the balances
 * that they add up to. Neither is written anywhere else (scripts/check-tables.ts). The caller has locked the memberships.
 * @param entry a relation of subject_id uuid, kind text, membership_id uuid, currency text and amount_minor, named in the
 *   same statement
 */
export const posting = (publisherId: string, entry: string): RawBuilder<unknown> => sql`
  posted as (
    insert into ledger_entry (publisher_id, subject_id, kind, membership_id, currency, amount_minor)
    select ${publisherId}, subject_id, kind, membership_id, currency, amount_minor from ${sql.table(entry)}
  ),
  balanced as (
    insert into member_balance as b (publisher_id, membership_id, currency, balance_minor)
    select ${publisherId}, membership_id, currency, sum(amount_minor)
    from ${sql.table(entry)}
    group by membership_id, currency
    order by membership_id, currency
    on conflict (publisher_id, membership_id, currency) do update
      set balance_minor = b.balance_minor + excluded.balance_minor
  )`;
