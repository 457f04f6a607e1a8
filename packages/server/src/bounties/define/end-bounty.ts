import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import type { BountyId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { lockOutSettling } from '../../settlement/settlement-lock.ts';
import { recount } from '../count/recount.ts';

/**
 * Ends a bounty now, for good: a program file does not open it again. One that is over stays as it is.
 * @returns when it ended
 * @throws Refusal when the publisher has no such bounty
 */
export function endBounty(db: Db, publisherId: string, bountyId: BountyId, now: Date): Promise<Date> {
  return inTransaction(db, async (tx) => {
    await lockOutSettling(tx, publisherId);
    const { rows } = await sql<{ group_id: string; ends_at: Date; was_open: boolean }>`
      update bounty b
      set ends_at = case when o.is_open then greatest(${now}, b.starts_at) else b.ends_at end,
          ended_at = coalesce(b.ended_at, ${now})
      from (
        select bounty_id, ends_at is null or ends_at > ${now} as is_open
        from bounty
        where publisher_id = ${publisherId} and bounty_id = ${bountyId}
        for no key update
      ) o
      where b.publisher_id = ${publisherId} and b.bounty_id = o.bounty_id
      returning b.group_id, b.ends_at, o.is_open as was_open`.execute(tx);
    const [ended] = rows;
    if (ended === undefined)
      throw new Refusal('NotFound', `Publisher ${publisherId} has no bounty ${bountyId}.`);
    if (ended.was_open) {
      // What is dated later than this moment no longer counts.
      const objectives = await tx
        .selectFrom('bounty_objective')
        .select('objective_id')
        .where('publisher_id', '=', publisherId)
        .where('bounty_id', '=', bountyId)
        .where('removed_at', 'is', null)
        .execute();
      await recount(
        tx,
        publisherId,
        ended.group_id,
        objectives.map(({ objective_id }) => objective_id),
      );
    }
    return ended.ends_at;
  });
}
