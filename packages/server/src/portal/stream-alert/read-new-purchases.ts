import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AttributionId } from '../../platform/database/tables.generated.ts';
import { rowIdAt } from '../../platform/ids.ts';

/** Maximum number of the publisher's rows examined per read. A publisher with more rows in `lookBackMs` loses the oldest. */
const maxRowsRead = 20_000;
/** Maximum number of rows per person, more than an overlay shows. */
const maxPerPerson = 50;
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
 * Reads the newest purchases of several people at one publisher, newest first. A person's accounts are read in the same
 * statement, so that purchases of an account aren't shown once it is disconnected. Test purchases and reversed ones are left out.
 */
export async function readNewPurchases(
  db: Db,
  { publisherId, userIds, from, now }: NewPurchasesQuery,
): Promise<NewPurchase[]> {
  const { rows } = await sql<{
    attribution_id: AttributionId;
    user_id: string;
    code: string;
    product: string;
  }>`
    select numbered.attribution_id, numbered.user_id, numbered.code,
           left(numbered.description, ${maxProductLength}) as product
    from (
      select latest.attribution_id, own.user_id, latest.code, latest.description,
             row_number() over (partition by own.user_id order by latest.attribution_id desc) as place
      from (
        select attribution_id, membership_id, code, description, status, is_test, transaction_date
        from attribution
        where publisher_id = ${publisherId} and attribution_id >= ${rowIdAt(from)}::uuid
        order by attribution_id desc
        limit ${maxRowsRead}
      ) latest
      join (
        select m.membership_id, c.user_id
        from portal_user_account c
        join membership m on m.publisher_id = ${publisherId} and m.account_id = c.account_id
        where c.user_id = any(${[...userIds]}::text[])
        offset 0
      ) own on own.membership_id = latest.membership_id
      where latest.status = 'Normal' and not latest.is_test
        and latest.transaction_date > ${new Date(now.getTime() - maxAgeMs)}
        and (
          select p.reversed_at
          from payment p
          where p.publisher_id = ${publisherId} and p.attribution_id = latest.attribution_id
        ) is null
    ) numbered
    where numbered.place <= ${maxPerPerson}
    order by numbered.attribution_id desc`.execute(db);
  return rows.map((row) => ({
    attributionId: row.attribution_id,
    userId: row.user_id,
    code: row.code,
    product: row.product,
  }));
}
