import type { Whence } from '../../audit/actor.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { recordForPerson } from './record-for-person.ts';

/**
 * Takes away every way into an account that was there before somebody first proved that its address is theirs. A link
 * that was handed on may have been opened by anybody, who chose a password and stays in by it, by a passkey or a sign-in
 * that goes on: whoever proves the address gets the account for themselves. From then on nothing is taken away.
 */
export async function dropUnprovenWays(tx: Tx, userId: string, whence: Whence): Promise<void> {
  const proven = await tx
    .updateTable('staff_user')
    .set({ email_verified: true, two_factor_enabled: false })
    .where('id', '=', userId)
    .where('email_verified', '=', false)
    .returning('name')
    .executeTakeFirst();
  if (proven === undefined) return;
  const passwords = await tx
    .deleteFrom('staff_account')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  const passkeys = await tx.deleteFrom('staff_passkey').where('user_id', '=', userId).executeTakeFirst();
  const codes = await tx.deleteFrom('staff_two_factor').where('user_id', '=', userId).executeTakeFirst();
  await tx.deleteFrom('staff_session').where('user_id', '=', userId).execute();
  if (passwords.numDeletedRows + passkeys.numDeletedRows + codes.numDeletedRows > 0n)
    await recordForPerson(tx, { userId, name: proven.name }, whence, { action: 'staff.prove-address' });
}
