import type { Db } from '../../platform/database/database.ts';

/** Permanently dismisses the list of first steps for one person. */
export async function dismissFirstSteps(
  db: Db,
  { publisherId, userId }: { publisherId: string; userId: string },
  now: Date,
): Promise<void> {
  await db
    .updateTable('staff')
    .set({ first_steps_dismissed_at: now })
    .where('publisher_id', '=', publisherId)
    .where('user_id', '=', userId)
    .where('first_steps_dismissed_at', 'is', null)
    .execute();
}
