import { actorOf, type RequestSource } from '../../audit/actor.ts';
import { applyToGroup } from '../../members/applications/apply-to-group.ts';
import { newMemberId } from '../../members/change/create-member.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { toAccountId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findOpenGroup } from '../../publishers/applications/find-open-group.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { connectAccount } from '../connect-account.ts';
import { type OwnAccount, readOwnAccounts, readPublishersOf } from '../own-accounts.ts';

export interface TypedApplication {
  userId: string;
  publisherId: string;
  groupId: string;
  /** Name of the creator, for a person without an account at the publisher. */
  name: string;
  code: string;
  termsSha256: string;
  source: RequestSource;
  now: Date;
}

/**
 * Applies to a group in the name of a person. A person without an account at the publisher gets one, which is connected in the
 * same commit; otherwise, the account that was connected first applies.
 * @returns false if the person had already sent exactly this application
 * @throws Refusal NotFound if the group takes no applications; Stale, InvalidInput and Conflict as in `applyToGroup`
 */
export const apply = (db: Db, typed: TypedApplication): Promise<{ isNew: boolean }> =>
  inTransaction(db, (tx) =>
    changingProgram(tx, typed.publisherId, async (tx) => {
      const { userId, publisherId, code, termsSha256, source, now } = typed;
      const group = await findOpenGroup(tx, typed);
      const own = await accountsAt(tx, userId, publisherId);
      const [known] = own;
      const name = typed.name.trim();
      if (known === undefined && name === '')
        throw new Refusal('InvalidInput', 'Enter a name.', { path: ['name'] });
      const accountId = known?.accountId ?? toAccountId(newMemberId());
      const actor = actorOf({ kind: 'creator', accountId, name: known?.name ?? name }, source);
      const applied = await applyToGroup(tx, actor, {
        ...{ group, accountId, code, termsSha256, now },
        name: known === undefined ? name : null,
        ownAccountIds: own.map((each) => each.accountId),
      });
      if (known === undefined)
        await connectAccount(tx, { userId, accountId, proof: 'application', source, now });
      return applied;
    }),
  );

/** Returns a person's accounts that are members of a publisher, in the order in which they were connected. */
export async function accountsAt(db: Db | Tx, userId: string, publisherId: string): Promise<OwnAccount[]> {
  const accounts = await readOwnAccounts(db, userId);
  const publishers = await readPublishersOf(
    db,
    accounts.map(({ accountId }) => accountId),
  );
  return accounts.filter(({ accountId }) =>
    publishers.get(accountId)?.some((each) => each.publisherId === publisherId),
  );
}
