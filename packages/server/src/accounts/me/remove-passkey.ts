import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { recordForPerson } from '../people/record-for-person.ts';
import { requireSecondFactor } from './require-second-factor.ts';
import type { Self } from './self.ts';

/**
 * @throws Refusal NotFound if the passkey doesn't exist or belongs to another person, Forbidden if this
 *   session hasn't used the second factor
 */
export async function removePasskey(db: Db, self: Self, passkeyId: string): Promise<void> {
  await requireSecondFactor(db, self);
  await inTransaction(db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('staff_passkey')
      .where('user_id', '=', self.userId)
      .where('id', '=', passkeyId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new Refusal('NotFound', "The passkey doesn't exist.");
    await recordForPerson(tx, self, self.source, { action: 'staff.remove-passkey' });
  });
}
