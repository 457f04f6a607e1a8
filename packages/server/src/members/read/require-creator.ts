import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { readManaged } from './read-managed.ts';

export interface CreatorKey {
  publisherId: string;
  /** Account of a member in any of the publisher's groups. */
  memberId: AccountId;
}

export interface FoundCreator {
  /** Account; for a claimed one, the account of the creator who claimed it. */
  accountId: AccountId;
  name: string;
}

/** Finds a creator who is a member of any of the publisher's groups, with any status. @throws Refusal NotFound */
export async function requireCreator(db: Db | Tx, creator: CreatorKey): Promise<FoundCreator> {
  const { memberId: accountId, name } = await readManaged(db, creator);
  return { accountId, name };
}
