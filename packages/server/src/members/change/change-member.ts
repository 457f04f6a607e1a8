import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { refuseStaleEdit } from '../../platform/version.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import type { MemberInput } from '../put/member-input.ts';
import { putMember } from '../put/put-member.ts';
import { readManaged } from '../read/read-managed.ts';
import type { MemberKey } from './changing-member.ts';
import { requireOurs } from './require-ours.ts';

/** Fields of an existing member that can be changed. Absent fields don't change. */
export type MemberFacts = Pick<
  MemberInput,
  'name' | 'logoImage' | 'profileImage' | 'playerId' | 'playerMetadata' | 'visible' | 'tier'
>;

interface MemberToChange extends MemberKey {
  /** Version that the edit is based on. */
  version: string;
  facts: MemberFacts;
}

/**
 * Changes a member's given fields.
 * @returns true if anything changed
 * @throws Refusal NotFound for an unknown member; Stale for a stale edit; Conflict if another member has the player id;
 * Forbidden for fields that only the creator may change; InvalidInput for invalid fields
 */
export const changeMember = (
  db: Db,
  actor: Actor,
  { publisherId, groupId, memberId, version, facts }: MemberToChange,
): Promise<boolean> =>
  inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      const member = await readManaged(tx, { publisherId, groupId, memberId });
      refuseStaleEdit(`Creator ${member.name}`, version, member.version);
      if ([facts.name, facts.logoImage, facts.profileImage].some((fact) => fact !== undefined))
        requireOurs(member, 'name and images');
      const input = { publisherId, groupId, id: member.memberId, ...facts };
      return (await putMember(tx, actor, input)).isChanged;
    }),
  );
