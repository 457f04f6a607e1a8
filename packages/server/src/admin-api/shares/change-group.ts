import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { refuseStaleEdit } from '../../platform/version.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { chooseDefaultGroup } from '../../publishers/choose-default-group.ts';
import { putGroup } from '../../publishers/put-group.ts';
import { readGroups } from './read-groups.ts';

export interface GroupChange {
  publisherId: string;
  groupId: string;
  /** Version that the edit is based on; null to create the group. */
  version: string | null;
  name?: string;
  revShare?: number;
  codeTtlDays?: number;
  holdDays?: number;
  payoutMinimums?: readonly { currency: string; amount: string }[];
  disabledCurrencies?: string[];
  /** True to make it the default group. There is no false, because a publisher always has a default group. */
  isDefault?: true;
}

/**
 * Creates a group, or changes the given settings of an existing group.
 * @throws Refusal Conflict for a stale edit, InvalidInput for a new group without a share
 */
export function changeGroup(db: Db, actor: Actor, change: GroupChange): Promise<void> {
  const { publisherId, groupId, version, codeTtlDays, payoutMinimums, isDefault, ...rest } = change;
  return inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      const [before] = await readGroups(tx, publisherId, groupId);
      refuseStaleEdit(`The group ${groupId}`, version, before?.version ?? null);
      await putGroup(tx, actor, {
        publisherId,
        id: groupId,
        ...rest,
        ...(codeTtlDays !== undefined && { codeTTLInDays: codeTtlDays }),
        ...(payoutMinimums !== undefined && {
          payoutMinimums: Object.fromEntries(
            payoutMinimums.map(({ currency, amount }) => [currency, Number(amount)]),
          ),
        }),
      });
      const groups = [{ id: groupId, default: isDefault === true }];
      await chooseDefaultGroup(tx, actor, { publisherId, groups });
    }),
  );
}
