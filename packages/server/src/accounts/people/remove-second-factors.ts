import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { emailAddress } from './email-address.ts';
import { listPublishersOf } from './list-publishers-of.ts';

/**
 * Removes all second factors and passkeys of a person who has lost them, and ends the person's sessions. The
 * person can then sign in with a remaining method and set up new second factors.
 * @throws Refusal NotFound if no staff member of any publisher has the address, Conflict if there is nothing
 * to remove
 */
export const removeSecondFactors = (db: Db, actor: Actor, address: string, now: Date): Promise<string> =>
  inTransaction(db, async (tx) => {
    const email = emailAddress(address);
    const user = await tx.selectFrom('staff_user').select('id').where('email', '=', email).executeTakeFirst();
    const publishers = user === undefined ? [] : await listPublishersOf(tx, user.id);
    if (user === undefined || publishers.length === 0)
      throw new Refusal('NotFound', `No staff member of any publisher has the address ${email}.`);
    const codes = await tx.deleteFrom('staff_two_factor').where('user_id', '=', user.id).executeTakeFirst();
    const passkeys = await tx.deleteFrom('staff_passkey').where('user_id', '=', user.id).executeTakeFirst();
    if (codes.numDeletedRows + passkeys.numDeletedRows === 0n)
      throw new Refusal('Conflict', `${email} has neither a second factor nor a passkey.`);
    await tx
      .updateTable('staff_user')
      .set({ two_factor_enabled: false, updated_at: now })
      .where('id', '=', user.id)
      .execute();
    await tx.deleteFrom('staff_session').where('user_id', '=', user.id).execute();
    for (const { publisherId } of publishers)
      await recordChange(tx, actor, {
        publisherId,
        action: 'staff.remove-second-factors',
        target: `staff:${user.id}`,
      });
    return email;
  });
