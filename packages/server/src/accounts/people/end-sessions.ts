import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { lockStaff } from './lock-staff.ts';

/**
 * @returns the number of sessions ended
 * @throws Refusal NotFound if the person isn't on the staff
 */
export const endSessions = (
  db: Db,
  actor: Actor,
  { publisherId, userId }: { publisherId: string; userId: string },
): Promise<number> =>
  inTransaction(db, async (tx) => {
    await lockStaff(tx, publisherId, userId);
    const { numDeletedRows } = await tx
      .deleteFrom('staff_session')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    const ended = Number(numDeletedRows);
    if (ended > 0)
      await recordChange(tx, actor, {
        publisherId,
        action: 'staff.end-sessions',
        target: `staff:${userId}`,
        after: { ended },
      });
    return ended;
  });
