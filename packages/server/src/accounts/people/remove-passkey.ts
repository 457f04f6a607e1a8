import type { RequestSource } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { recordForPerson } from './record-for-person.ts';

/** Removes a person's passkey. @throws Refusal NotFound for an unknown passkey or another person's */
export const removePasskey = (
  db: Db,
  person: { userId: string; name: string },
  passkeyId: string,
  source: RequestSource,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('staff_passkey')
      .where('user_id', '=', person.userId)
      .where('id', '=', passkeyId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new Refusal('NotFound', "The passkey doesn't exist.");
    await recordForPerson(tx, person, source, { action: 'staff.remove-passkey' });
  });
