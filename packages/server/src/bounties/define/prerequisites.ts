import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { BountyId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { PlannedBounty } from './bounty-terms.ts';
import type { GroupKey } from './stored-bounties.ts';

/** @throws Refusal BountyNotFound for an unknown bounty, InvalidInput if the bounty requires itself */
export async function writePrerequisites(
  tx: Tx,
  { publisherId, groupId }: GroupKey,
  { id: bountyId, prerequisites }: PlannedBounty,
): Promise<void> {
  const required = [...prerequisites];
  const { rows } = await sql<{ bounty_id: BountyId }>`
    select b.bounty_id
    from bounty b
    where b.publisher_id = ${publisherId} and b.group_id = ${groupId} and b.bounty_id = any(${required}::text[])`.execute(
    tx,
  );
  const known: ReadonlySet<string> = new Set(rows.map(({ bounty_id }) => bounty_id));
  for (const [place, requiresId] of required.entries()) {
    const path = ['prerequisites', place];
    if (requiresId === bountyId)
      throw new Refusal('InvalidInput', `bounty ${bountyId} requires itself`, { path });
    if (!known.has(requiresId))
      throw new Refusal('BountyNotFound', `group ${groupId} has no bounty ${requiresId}`, { path });
  }
  await sql`
    delete from bounty_prerequisite q
    where q.publisher_id = ${publisherId} and q.bounty_id = ${bountyId}
      and q.requires_id <> all(${required}::text[])`.execute(tx);
  await sql`
    insert into bounty_prerequisite (publisher_id, group_id, bounty_id, requires_id)
    select ${publisherId}, ${groupId}, ${bountyId}, requires_id from unnest(${required}::text[]) as r (requires_id)
    on conflict (publisher_id, bounty_id, requires_id) do nothing`.execute(tx);
}

/** Returns the bounties that require themselves through other bounties. */
export async function bountiesInCircles(
  tx: Tx,
  publisherId: string,
  bountyIds: readonly BountyId[],
): Promise<ReadonlySet<BountyId>> {
  const { rows } = await sql<{ bounty_id: BountyId }>`
    with recursive required as (
      select q.bounty_id, q.requires_id
      from bounty_prerequisite q
      where q.publisher_id = ${publisherId} and q.bounty_id = any(${[...bountyIds]}::text[])
      union
      select r.bounty_id, q.requires_id
      from required r
      join bounty_prerequisite q on q.publisher_id = ${publisherId} and q.bounty_id = r.requires_id
    )
    select bounty_id from required where requires_id = bounty_id`.execute(tx);
  return new Set(rows.map(({ bounty_id }) => bounty_id));
}
