import { sql } from 'kysely';
import type { Db } from '../src/platform/database/database.ts';

/** Marks one of aurora's rows as paid elsewhere, so that it cannot be reversed. */
export async function payElsewhere(db: Db, attributionId: string): Promise<void> {
  await sql`
    insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor,
                         payout_payment_id, paid_at)
    select publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, 'elsewhere', now()
    from attribution
    where publisher_id = 'aurora' and attribution_id = ${attributionId}::uuid`.execute(db);
}

/** Returns a group's earnings by currency, as summed in `group_rollup`. */
export async function sharesOfGroup(
  db: Db,
  publisherId: string,
  groupId: string,
): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ currency: string; share: string }>`
    select currency, sum(share_minor) as share
    from group_rollup
    where publisher_id = ${publisherId} and group_id = ${groupId}
    group by currency`.execute(db);
  return new Map(rows.map(({ currency, share }) => [currency, BigInt(share)]));
}
