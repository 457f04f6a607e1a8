import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { BountyId } from '../../platform/database/tables.generated.ts';
import { DefinitionProblem } from './definition-problem.ts';

/** Saves what a bounty requires. @throws DefinitionProblem when the group has no such bounty */
export async function writePrerequisites(
  tx: Tx,
  publisherId: string,
  groupId: string,
  bountyId: BountyId,
  prerequisites: readonly string[],
  index: number,
): Promise<void> {
  const required = [...prerequisites];
  const { rows } = await sql<{ bounty_id: BountyId }>`
    select bounty_id
    from bounty
    where publisher_id = ${publisherId} and group_id = ${groupId} and bounty_id = any(${required}::text[])`.execute(
    tx,
  );
  const known: ReadonlySet<string> = new Set(rows.map(({ bounty_id }) => bounty_id));
  for (const [place, requiresId] of required.entries()) {
    if (requiresId === bountyId)
      throw new DefinitionProblem([index, 'prerequisites', place], `the bounty ${bountyId} requires itself`);
    if (!known.has(requiresId))
      throw new DefinitionProblem(
        [index, 'prerequisites', place],
        `the group ${groupId} has no bounty ${requiresId}`,
      );
  }
  await sql`
    delete from bounty_prerequisite
    where publisher_id = ${publisherId} and bounty_id = ${bountyId} and requires_id <> all(${required}::text[])`.execute(
    tx,
  );
  await sql`
    insert into bounty_prerequisite (publisher_id, group_id, bounty_id, requires_id)
    select ${publisherId}, ${groupId}, ${bountyId}, requires_id from unnest(${required}::text[]) as r (requires_id)
    on conflict (publisher_id, bounty_id, requires_id) do nothing`.execute(tx);
}

/** @throws DefinitionProblem at the first of some bounties that requires itself by way of others */
export async function refuseCircles(
  tx: Tx,
  publisherId: string,
  bountyIds: readonly BountyId[],
): Promise<void> {
  const { rows } = await sql<{ bounty_id: BountyId }>`
    with recursive required as (
      select bounty_id, requires_id
      from bounty_prerequisite
      where publisher_id = ${publisherId} and bounty_id = any(${[...bountyIds]}::text[])
      union
      select r.bounty_id, q.requires_id
      from required r
      join bounty_prerequisite q on q.publisher_id = ${publisherId} and q.bounty_id = r.requires_id
    )
    select bounty_id from required where requires_id = bounty_id`.execute(tx);
  const circular = new Set(rows.map(({ bounty_id }) => bounty_id));
  const index = bountyIds.findIndex((id) => circular.has(id));
  if (index !== -1)
    throw new DefinitionProblem(
      [index, 'prerequisites'],
      `the bounty ${bountyIds[index]} requires itself by way of others`,
    );
}
