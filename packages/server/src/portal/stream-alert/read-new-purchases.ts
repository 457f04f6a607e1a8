import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AttributionId, MembershipId } from '../../platform/database/tables.generated.ts';
import { rowIdAt } from '../../platform/ids.ts';

/** Maximum number of the publisher's rows examined per read. A publisher with more rows in `lookBackMs` loses the oldest. */
const maxRowsRead = 20_000;
/** Maximum number of rows per membership, more than an overlay shows. */
const maxPerMembership = 50;
/** Age from which a purchase isn't shown, so that an import of old purchases shows none. */
const maxAgeMs = 600_000;
/** Characters of a product's text that are sent. */
const maxProductLength = 80;

export interface NewPurchase {
  attributionId: AttributionId;
  userId: string;
  code: string;
  /** Text of the product, shortened. */
  product: string;
}

export interface NewPurchasesQuery {
  publisherId: string;
  userIds: readonly string[];
  /** Reads rows that were recorded from this time on. */
  from: Date;
  now: Date;
}

/**
 * Reads the newest purchases of several people at one publisher, newest first. The people's accounts are read each time, so that
 * purchases of an account aren't shown once it is disconnected. Test purchases and reversed ones are left out.
 */
export async function readNewPurchases(
  db: Db,
  { publisherId, userIds, from, now }: NewPurchasesQuery,
): Promise<NewPurchase[]> {
  const owners = await readOwners(db, publisherId, userIds);
  // The planner expects few new rows, so it would compare each of them with each membership of a join. It hashes a list of values.
  const { rows } = await sql<{
    attribution_id: AttributionId;
    membership_id: MembershipId;
    code: string;
    product: string;
  }>`
    select attribution_id, membership_id, code, left(description, ${maxProductLength}) as product
    from (
      select attribution_id, membership_id, code, description,
             row_number() over (partition by membership_id order by attribution_id desc) as place
      from (
        select attribution_id, membership_id, code, description, status, is_test, transaction_date
        from attribution
        where publisher_id = ${publisherId} and attribution_id >= ${rowIdAt(from)}::uuid
        order by attribution_id desc
        limit ${maxRowsRead}
      ) latest
      where membership_id = any(${[...owners.keys()]}::uuid[]) and status = 'Normal' and not is_test
        and transaction_date > ${new Date(now.getTime() - maxAgeMs)}
    ) numbered
    where place <= ${maxPerMembership}
      and (
        select p.reversed_at
        from payment p
        where p.publisher_id = ${publisherId} and p.attribution_id = numbered.attribution_id
      ) is null
    order by attribution_id desc`.execute(db);
  return rows.flatMap(({ attribution_id: attributionId, membership_id, code, product }) => {
    const userId = owners.get(membership_id);
    return userId === undefined ? [] : [{ attributionId, userId, code, product }];
  });
}

/** Returns the person of each membership at the publisher. */
async function readOwners(
  db: Db,
  publisherId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<MembershipId, string>> {
  const { rows } = await sql<{ membership_id: MembershipId; user_id: string }>`
    select m.membership_id, c.user_id
    from portal_user_account c
    join membership m on m.publisher_id = ${publisherId} and m.account_id = c.account_id
    where c.user_id = any(${[...userIds]}::text[])`.execute(db);
  return new Map(rows.map(({ membership_id, user_id }) => [membership_id, user_id]));
}
