import { sql } from 'kysely';
import type { AttributionRow } from '../../attributions/attribution-row.ts';
import { joinCreditedMember } from '../../attributions/credited-member.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, AttributionId } from '../../platform/database/tables.generated.ts';
import { findRowsOnHold } from '../../settlement/holds/list-holds.ts';

export interface Creator {
  memberId: AccountId;
  name: string;
}

/** Row with the creator it credits, after any merges, and whether an open hold of its own keeps it out of payouts. */
export interface Credited {
  row: AttributionRow;
  creator: Creator;
  isOnHold: boolean;
}

/** Reads the creators and holds of rows. */
export async function withCreators(
  db: Db,
  publisherId: string,
  rows: readonly AttributionRow[],
): Promise<Credited[]> {
  const ids = rows.map(({ attributionId }) => attributionId);
  const onHold = await findRowsOnHold(db, publisherId, ids);
  const { rows: found } = await sql<{ attribution_id: AttributionId; account_id: AccountId; name: string }>`
    select one.id as attribution_id, m.account_id, a.name
    from unnest(${ids}::uuid[]) as one (id)
    cross join lateral (
      select membership_id from attribution where publisher_id = ${publisherId} and attribution_id = one.id offset 0
    ) credited
    ${joinCreditedMember(publisherId, 'credited', 'account_id')}
    join creator_account a on a.account_id = m.account_id`.execute(db);
  const creators = new Map(
    found.map(({ attribution_id, account_id, name }) => [attribution_id, { memberId: account_id, name }]),
  );
  return rows.map((row) => {
    const creator = creators.get(row.attributionId);
    if (creator === undefined) throw new Error(`row ${row.attributionId} has no credited creator`);
    return { row, creator, isOnHold: onHold.has(row.attributionId) };
  });
}
