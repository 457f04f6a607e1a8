import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { randomBase62, toAccountId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { changingProgram, type ProgramTx } from '../../publishers/changing-program.ts';
import { findGroup } from '../../publishers/find-group.ts';
import type { MemberInput } from '../put/member-input.ts';
import { putMember } from '../put/put-member.ts';

export interface NewMember extends Omit<MemberInput, 'id' | 'removalReason'> {
  publisherId: string;
  groupId: string;
  /** Of its account; made up when absent. */
  id?: string | undefined;
}

/** @returns an id for the account of a new member, which nobody has */
export const newMemberId = (): string => `acc_${randomBase62(16)}`;

/**
 * Makes a member of a group.
 * @throws Refusal NotFound for a group that does not exist, Conflict for a member that the group has already, or a code,
 *   a player id or an identity of another member's, InvalidInput
 */
export const createMember = (db: Db, actor: Actor, asked: NewMember): Promise<AccountId> =>
  inTransaction(db, (tx) =>
    changingProgram(tx, asked.publisherId, async (tx) => {
      const { id = newMemberId(), ...said } = asked;
      await findGroup(tx, asked.publisherId, asked.groupId);
      await requireNew(tx, asked, id);
      await putMember(tx, actor, { ...said, id });
      return toAccountId(id);
    }),
  );

async function requireNew(tx: ProgramTx, { publisherId, groupId }: NewMember, id: string): Promise<void> {
  const known = await tx
    .selectFrom('membership')
    .select('status')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('account_id', '=', toAccountId(id))
    .executeTakeFirst();
  if (known !== undefined)
    throw new Refusal('Conflict', `The group ${groupId} has a member ${id} already; it is ${known.status}.`, {
      path: ['id'],
    });
}
