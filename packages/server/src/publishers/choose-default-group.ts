import { sql } from 'kysely';
import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { type ProgramTx, programChanged } from './changing-program.ts';

interface Choice {
  publisherId: string;
  /** Groups in input order, which breaks ties between groups created at the same time. */
  groups: readonly { id: string; default?: boolean }[];
}

/**
 * Makes exactly one of a publisher's groups the default: the group marked in the input, otherwise the current
 * default group, otherwise the group created first.
 * @returns whether the default group changed
 */
export async function chooseDefaultGroup(tx: ProgramTx, actor: Actor, choice: Choice): Promise<boolean> {
  const { publisherId, groups } = choice;
  const chosen = groups.find((group) => group.default === true)?.id ?? null;
  const named = groups.map(({ id }) => id);
  const { rows } = await sql<{ group_id: string; is_default: boolean }>`
    select group_id, is_default
    from creator_group
    where publisher_id = ${publisherId}
    order by (group_id = ${chosen}) is true desc, is_default desc, created_at, array_position(${named}::text[], group_id)`.execute(
    tx,
  );
  const [first] = rows;
  if (first === undefined || first.is_default) return false;
  const before = rows.find(({ is_default }) => is_default)?.group_id ?? null;
  // This takes two statements, because the unique index on the default group would reject both changes in one.
  for (const isDefault of [false, true]) {
    await sql`
      update creator_group
      set is_default = ${isDefault}
      where publisher_id = ${publisherId} and (group_id = ${first.group_id}) = ${isDefault} and is_default <> ${isDefault}`.execute(
      tx,
    );
  }
  programChanged(tx, publisherId);
  await recordChange(tx, actor, {
    publisherId,
    action: 'group.make-default',
    target: `group:${first.group_id}`,
    before: { default: before },
    after: { default: first.group_id },
  });
  return true;
}
