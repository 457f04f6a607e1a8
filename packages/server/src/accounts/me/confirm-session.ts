import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';

export async function confirmSession(
  db: Db | Tx,
  sessionId: string,
  now: Date,
  shown: 'password' | 'second factor',
): Promise<void> {
  await db
    .updateTable('staff_session')
    .set({ confirmed_at: now, ...(shown === 'second factor' && { has_second_factor: true }) })
    .where('id', '=', sessionId)
    .execute();
}
