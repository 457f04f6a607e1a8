import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import type { SignedIn } from '../codes.ts';
import { type SigningBrowser, startSession } from '../sessions.ts';
import { type ProviderAccount, ProviderRefusal } from './provider.ts';

/**
 * Signs in with an account that a person has added. Neither an equal name nor an equal address makes an account known.
 * @param account with the id that its provider has in the settings now
 * @throws ProviderRefusal `unknown`
 */
export const signInWithProvider = (
  db: Db,
  { issuer, subject, name, provider }: ProviderAccount & { provider: string },
  from: SigningBrowser,
  now: Date,
): Promise<SignedIn> =>
  inTransaction(db, async (tx) => {
    // Keeps the row's lock until the session is stored, so that a removal at the same time ends the session too.
    const known = await tx
      .updateTable('portal_provider_account')
      .set({ last_used_at: now, name, provider })
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .returning(['user_id', 'sign_in_method_id'])
      .executeTakeFirst();
    if (known === undefined) throw new ProviderRefusal('unknown');
    const { user_id: userId, sign_in_method_id: startedWith } = known;
    const { email } = await tx
      .selectFrom('portal_user')
      .select('email')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return { userId, email, token: await startSession(tx, { userId, startedWith }, from, now) };
  });
