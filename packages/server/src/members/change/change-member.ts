import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import type { MemberInput } from '../put/member-input.ts';
import { putMember } from '../put/put-member.ts';
import { readManaged } from '../read/read-managed.ts';
import type { MemberKey } from './changing-member.ts';
import { requireOurs } from './require-ours.ts';

/** What can be said of a member there is; what is absent stays as it is. */
export type MemberFacts = Pick<
  MemberInput,
  'name' | 'logoImage' | 'profileImage' | 'playerId' | 'playerMetadata' | 'visible' | 'tier'
>;

interface MemberToChange extends MemberKey {
  /** Of the member as whoever changes it has seen it. */
  version: string;
  facts: MemberFacts;
}

/**
 * Changes what is said of a member.
 * @returns whether anything is different now
 * @throws Refusal NotFound when the group has no such member, Conflict when somebody else changed it meanwhile or for
 *   another member's player id, Forbidden for what is its creator's to say, InvalidInput
 */
export const changeMember = (
  db: Db,
  actor: Actor,
  { publisherId, groupId, memberId, version, facts }: MemberToChange,
): Promise<boolean> =>
  inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      const member = await readManaged(tx, { publisherId, groupId, memberId });
      if (member.version !== version)
        throw new Refusal(
          'Conflict',
          `Somebody changed ${member.name} since you began; look at what is there now, and save again.`,
        );
      if ([facts.name, facts.logoImage, facts.profileImage].some((said) => said !== undefined))
        requireOurs(member, 'name and images');
      const input = { publisherId, groupId, id: member.memberId, ...facts };
      return (await putMember(tx, actor, input)).isChanged;
    }),
  );
