import { sql } from 'kysely';
import { isPosted } from '../../attributions/posted.ts';
import { standing } from '../../members/standing.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { addContributions } from './add-contributions.ts';
import { countedPurchases } from './counted-purchases.ts';

/**
 * Counts a purchase toward open bounties again, as what is left of its rows. Completions are kept. The caller must have
 * locked the memberships of all rows and the memberships into which these were merged.
 */
export async function recountPurchase(
  tx: Tx,
  publisherId: string,
  transactionId: string,
  now: Date,
): Promise<void> {
  const open = sql`(b.ends_at is null or b.ends_at > ${now})`;
  await sql`
    with removed as (
      delete from bounty_contribution c
      using bounty_objective o
      join bounty b on b.publisher_id = ${publisherId} and b.bounty_id = o.bounty_id
      where o.publisher_id = ${publisherId} and o.type <> 'Event' and ${open}
        and c.publisher_id = ${publisherId} and c.objective_id = o.objective_id and c.source_id = ${transactionId}
        and c.membership_id in (
          select ${standing('m')}
          from attribution a
          join membership m on m.publisher_id = ${publisherId} and m.membership_id = a.membership_id
          where a.publisher_id = ${publisherId} and a.transaction_id = ${transactionId})
      returning c.objective_id, c.membership_id, c.value
    )
    update bounty_total t
    set total = t.total - r.value
    from removed r
    where t.publisher_id = ${publisherId} and t.objective_id = r.objective_id and t.membership_id = r.membership_id`.execute(
    tx,
  );
  await addContributions(
    tx,
    publisherId,
    countedPurchases({
      publisherId,
      rows: sql`attribution a`,
      condition: sql`a.publisher_id = ${publisherId} and a.transaction_id = ${transactionId} and not a.is_test
        and ${isPosted(publisherId, 'a')}`,
      countsNewPlayers: true,
      objectives: open,
    }),
  );
}
