import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import type { CodeInput } from '../put/member-input.ts';
import { putMember } from '../put/put-member.ts';
import { readManaged } from '../read/read-managed.ts';
import type { MemberKey } from './changing-member.ts';
import { requireOurs } from './require-ours.ts';

/**
 * Adds a code to a member, or changes an existing one.
 * @returns whether the code changed
 * @throws Refusal NotFound for an unknown member; Conflict if another member has the code; Forbidden for a global code
 * of an account that the publisher doesn't own
 */
export const putMemberCode = (
  db: Db,
  actor: Actor,
  { publisherId, groupId, memberId, code }: MemberKey & { code: CodeInput },
): Promise<boolean> =>
  inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      const member = await readManaged(tx, { publisherId, groupId, memberId });
      if (code.group === undefined) requireOurs(member, 'global codes');
      return (await putMember(tx, actor, { publisherId, groupId, id: member.memberId, codes: [code] }))
        .isChanged;
    }),
  );
