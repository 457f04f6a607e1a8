import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { changingProgram, type ProgramTx, programChanged } from '../../publishers/changing-program.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';
import { stands } from '../standing.ts';

export interface MemberKey {
  publisherId: string;
  groupId: string;
  memberId: AccountId;
}

/**
 * Runs a change to one member in a transaction.
 * @param change returns whether it changed the member
 * @throws Refusal NotFound for an unknown publisher or member
 */
export const changingMember = (
  db: Db,
  member: MemberKey,
  change: (tx: ProgramTx, membershipId: MembershipId) => Promise<boolean>,
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    await requirePublisher(tx, member.publisherId);
    return changingProgram(tx, member.publisherId, async (tx) => {
      const isChanged = await change(tx, await requireMember(tx, member));
      if (isChanged) programChanged(tx, member.publisherId);
      return isChanged;
    });
  });

/** Returns the id of a member's standing membership. @throws Refusal NotFound */
export async function requireMember(
  tx: Tx,
  { publisherId, groupId, memberId }: MemberKey,
): Promise<MembershipId> {
  const { rows } = await sql<{ membership_id: MembershipId }>`
    select m.membership_id
    from membership m
    where m.publisher_id = ${publisherId} and m.group_id = ${groupId} and m.account_id = ${memberId}
      and ${stands('m')}`.execute(tx);
  const [member] = rows;
  if (member === undefined)
    throw new Refusal('NotFound', `Group ${groupId} of publisher ${publisherId} has no member ${memberId}.`);
  return member.membership_id;
}
