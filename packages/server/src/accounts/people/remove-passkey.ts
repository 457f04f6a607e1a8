import type { Whence } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { recordForPerson } from './record-for-person.ts';

/** @throws Refusal NotFound for a passkey that is not theirs */
export const removePasskey = (
  db: Db,
  person: { userId: string; name: string },
  passkeyId: string,
  whence: Whence,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('staff_passkey')
      .where('user_id', '=', person.userId)
      .where('id', '=', passkeyId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new Refusal('NotFound', 'You have no such passkey.');
    await recordForPerson(tx, person, whence, { action: 'staff.remove-passkey' });
  });
