import { judgeWantedCode, type WantedCodeState } from '../../members/applications/judge-wanted-code.ts';
import type { Db } from '../../platform/database/database.ts';
import { findOpenGroup } from '../../publishers/applications/find-open-group.ts';
import { accountsAt } from './apply.ts';

interface CodeToCheck {
  userId: string;
  publisherId: string;
  groupId: string;
  /** Code as it is being typed. */
  code: string;
}

/**
 * Judges a code that a person is typing. The check doesn't reserve it.
 * @throws Refusal NotFound if the group takes no applications
 */
export async function checkWantedCode(
  db: Db,
  { userId, publisherId, groupId, code }: CodeToCheck,
): Promise<WantedCodeState> {
  const group = await findOpenGroup(db, { publisherId, groupId });
  const [account] = await accountsAt(db, userId, publisherId);
  return judgeWantedCode(db, { ...group, accountId: account?.accountId ?? null, code });
}
