import type { Db } from '../../platform/database/database.ts';
import { Refusal } from '../../platform/refusal.ts';

/** @throws Refusal NotFound for a passkey that is not theirs */
export async function removePasskey(db: Db, userId: string, passkeyId: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('staff_passkey')
    .where('user_id', '=', userId)
    .where('id', '=', passkeyId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new Refusal('NotFound', 'You have no such passkey.');
}
