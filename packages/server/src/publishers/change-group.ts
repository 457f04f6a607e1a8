import type { Actor } from '../audit/actor.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { refuseStaleEdit } from '../platform/version.ts';
import { changingProgram } from './changing-program.ts';
import { chooseDefaultGroup } from './choose-default-group.ts';
import { type GroupInput, putGroup } from './put-group.ts';
import { readGroups } from './read-groups.ts';

export interface GroupChange extends GroupInput {
  /** Version that the edit is based on; null to create the group. */
  version: string | null;
  /**
   * True to make this the default group. False is not allowed, because a publisher always has a default
   * group.
   */
  isDefault?: true;
}

/**
 * Creates a group, or changes the given settings of an existing one.
 * @throws Refusal Stale; InvalidInput for a new group without a share
 */
export function changeGroup(
  db: Db,
  actor: Actor,
  { version, isDefault, ...input }: GroupChange,
): Promise<void> {
  const { publisherId, id } = input;
  return inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      const [before] = await readGroups(tx, publisherId, id);
      refuseStaleEdit(`Group ${id}`, version, before?.version ?? null);
      await putGroup(tx, actor, input);
      const groups = [{ id, default: isDefault === true }];
      await chooseDefaultGroup(tx, actor, { publisherId, groups });
    }),
  );
}
