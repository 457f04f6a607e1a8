import type { RequestSource } from '../../audit/actor.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { recordForPerson } from './record-for-person.ts';

/**
 * Deletes a user's passwords, passkeys, second factors and sessions when the email address is verified for
 * the first time. A forwarded invitation link may have been opened by another person, who could still sign in
 * with these credentials. Only the person who verifies the address should have access. Does nothing if the
 * address is already verified.
 */
export async function dropUnverifiedSignIns(tx: Tx, userId: string, source: RequestSource): Promise<void> {
  const verified = await tx
    .updateTable('staff_user')
    .set({ email_verified: true, two_factor_enabled: false })
    .where('id', '=', userId)
    .where('email_verified', '=', false)
    .returning('name')
    .executeTakeFirst();
  if (verified === undefined) return;
  const passwords = await tx
    .deleteFrom('staff_account')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  const passkeys = await tx.deleteFrom('staff_passkey').where('user_id', '=', userId).executeTakeFirst();
  const codes = await tx.deleteFrom('staff_two_factor').where('user_id', '=', userId).executeTakeFirst();
  await tx.deleteFrom('staff_session').where('user_id', '=', userId).execute();
  if (passwords.numDeletedRows + passkeys.numDeletedRows + codes.numDeletedRows > 0n)
    await recordForPerson(tx, { userId, name: verified.name }, source, { action: 'staff.prove-address' });
}
