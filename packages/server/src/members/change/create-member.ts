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
  /** Account id; random if absent. */
  id?: string | undefined;
}

export const newMemberId = (): string => `acc_${randomBase62(16)}`;

/**
 * Creates a member in a group.
 * @throws Refusal NotFound for an unknown group; Conflict if the group already has the member, or if another member has
 * the code, player id or identity; InvalidInput for invalid fields
 */
export const createMember = (db: Db, actor: Actor, input: NewMember): Promise<AccountId> =>
  inTransaction(db, (tx) =>
    changingProgram(tx, input.publisherId, async (tx) => {
      const { id = newMemberId(), ...facts } = input;
      await findGroup(tx, input.publisherId, input.groupId);
      await requireNew(tx, input, id);
      await putMember(tx, actor, { ...facts, id });
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
    throw new Refusal(
      'Conflict',
      `Group ${groupId} already has a member ${id} (${known.status}). Choose another id.`,
      { path: ['id'] },
    );
}
