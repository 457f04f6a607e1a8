import type { RequestSource } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { newRowId } from '../../platform/ids.ts';
import { recordForPerson } from '../record-for-person.ts';
import { lockForAnother } from '../sign-in-methods/list-sign-in-methods.ts';
import { type ProviderAccount, ProviderRefusal } from './provider.ts';

interface Addition {
  userId: string;
  provider: string;
  source: RequestSource;
  now: Date;
}

/**
 * Adds an account at a provider to a person's sign-in methods. The emailed code was checked before the visit. Adding the account
 * again changes nothing.
 * @returns whether the account is new
 * @throws ProviderRefusal `taken` if it belongs to another person, `too-many`
 */
export const addProviderAccount = (
  db: Db,
  { issuer, subject, name }: ProviderAccount,
  { userId, provider, source, now }: Addition,
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const hasRoom = await lockForAnother(tx, userId);
    const owner = await tx
      .selectFrom('portal_provider_account')
      .select('user_id')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    if (owner?.user_id === userId) return false;
    if (owner !== undefined) throw new ProviderRefusal('taken');
    if (!hasRoom) throw new ProviderRefusal('too-many');
    const added = await tx
      .insertInto('portal_provider_account')
      .values({
        issuer,
        subject,
        sign_in_method_id: newRowId(),
        user_id: userId,
        provider,
        name,
        added_at: now,
      })
      .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
      .returning('sign_in_method_id')
      .executeTakeFirst();
    // Another person was faster.
    if (added === undefined) throw new ProviderRefusal('taken');
    await recordForPerson(tx, userId, source, { action: 'portal.add-sign-in', after: { kind: provider } });
    return true;
  });
