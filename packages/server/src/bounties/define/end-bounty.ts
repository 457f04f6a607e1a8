import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { BountyId, ObjectiveId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { lockOutPosting } from '../../settlement/settlement-lock.ts';
import { recount } from '../count/recount.ts';

/**
 * Ends a bounty immediately. The bounty can't be reopened. A bounty that is already over keeps its end.
 * @returns the end of the bounty
 * @throws Refusal NotFound when the bounty doesn't exist
 */
export function endBounty(
  db: Db,
  actor: Actor,
  { publisherId, bountyId }: { publisherId: string; bountyId: BountyId },
  now: Date,
): Promise<Date> {
  return inTransaction(db, async (tx) => {
    await lockOutPosting(tx, publisherId);
    const { groupId, endsAt, isEnded } = await readEnd(tx, publisherId, bountyId);
    if (isEnded && endsAt !== null) return endsAt;
    const isOpen = endsAt === null || endsAt > now;
    const { rows } = await sql<{ ends_at: Date }>`
      update bounty b
      set ends_at = case when ${isOpen} then greatest(${now}, b.starts_at) else b.ends_at end, ended_at = ${now}
      where b.publisher_id = ${publisherId} and b.bounty_id = ${bountyId}
      returning b.ends_at`.execute(tx);
    const [ended] = rows;
    if (ended === undefined) throw new Error('a locked bounty no longer exists');
    // Purchases and events dated after the new end no longer count.
    if (isOpen) await recount(tx, publisherId, groupId, await objectivesOf(tx, publisherId, bountyId));
    await recordChange(tx, actor, {
      publisherId,
      action: 'bounty.end',
      target: `bounty:${bountyId}`,
      before: { endsAt, isEnded: false },
      after: { endsAt: ended.ends_at, isEnded: true },
    });
    return ended.ends_at;
  });
}

async function readEnd(
  tx: Tx,
  publisherId: string,
  bountyId: BountyId,
): Promise<{ groupId: string; endsAt: Date | null; isEnded: boolean }> {
  const { rows } = await sql<{ group_id: string; ends_at: Date | null; ended_at: Date | null }>`
    select b.group_id, b.ends_at, b.ended_at
    from bounty b
    where b.publisher_id = ${publisherId} and b.bounty_id = ${bountyId}
    for no key update`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Refusal('NotFound', `Publisher ${publisherId} has no bounty ${bountyId}.`);
  return { groupId: row.group_id, endsAt: row.ends_at, isEnded: row.ended_at !== null };
}

async function objectivesOf(tx: Tx, publisherId: string, bountyId: BountyId): Promise<ObjectiveId[]> {
  const rows = await tx
    .selectFrom('bounty_objective')
    .select('objective_id')
    .where('publisher_id', '=', publisherId)
    .where('bounty_id', '=', bountyId)
    .where('removed_at', 'is', null)
    .execute();
  return rows.map(({ objective_id }) => objective_id);
}
