import { copyPurchases } from '../../attributions/copy/copy-purchases.ts';
import type { Actor } from '../../audit/actor.ts';
import { batchEntries, recordChange } from '../../audit/record-change.ts';
import { copyMembers } from '../../members/copy/copy-members.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { openSandbox, type SandboxToOpen, setOpenSandbox } from '../../publishers/open-sandbox.ts';
import { putProgram } from '../apply-program.ts';
import { removeAccess } from './close-sandbox.ts';
import { readProgramToCopy } from './read-program-to-copy.ts';

export interface CopiedProgram {
  sandboxId: string;
  memberCount: number;
  /** Number of copied purchase rows. They are posted after the copy. */
  purchaseCount: number;
  /** Descriptions of entries that were not copied because a program file can't express them. */
  leftOut: string[];
}

/** Sandbox to create, and the date from which purchases are copied; null to copy no purchases. */
export type CopyToMake = SandboxToOpen & { purchasesSince: Date | null };

/**
 * Copies a live publisher's program and members to a new sandbox, along with the still payable purchases since a given
 * date. Closes the previous sandbox by revoking its keys and removing its endpoints. All of this happens in one
 * transaction. Buyers, keys, endpoints and staff aren't copied.
 * @throws Refusal for the same reasons as `openSandbox`; Conflict if there are too many members or purchases
 */
export async function copyToSandbox(
  db: Db,
  actor: Actor,
  copy: CopyToMake,
  now: Date,
): Promise<CopiedProgram> {
  const { publisherId, replaces, purchasesSince } = copy;
  const { groups, members, leftOut } = await readProgramToCopy(db, publisherId);
  return inTransaction(db, async (tx) => {
    const sandboxId = await openSandbox(tx, copy);
    const purchaseCount = await changingProgram(tx, sandboxId, (tx) =>
      batchEntries(tx, async () => {
        await putProgram(tx, actor, { publisher: { id: sandboxId }, groups });
        const memberships = await copyMembers(tx, sandboxId, members);
        const purchases =
          purchasesSince === null
            ? 0
            : await copyPurchases(tx, sandboxId, { publisherId, since: purchasesSince, memberships });
        for (const each of [sandboxId, publisherId])
          await recordChange(tx, actor, {
            publisherId: each,
            action: 'sandbox.copy',
            target: `publisher:${sandboxId}`,
            after: { of: publisherId, groups: groups.length, members: members.length, purchases },
          });
        return purchases;
      }),
    );
    if (replaces !== null) await removeAccess(tx, actor, replaces, now);
    await setOpenSandbox(tx, publisherId, sandboxId);
    return { sandboxId, memberCount: members.length, purchaseCount, leftOut };
  });
}
