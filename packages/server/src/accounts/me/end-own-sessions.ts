import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { recordForPerson } from '../people/record-for-person.ts';
import type { Self } from './self.ts';

/**
 * Ends one or all of a person's other sessions. The current session stays active.
 * @param which id of one of the person's sessions, or 'all others'
 * @returns the number of sessions ended
 * @throws Refusal NotFound if the session has ended or belongs to another person, Conflict for the current
 * session
 */
export const endOwnSessions = (
  db: Db,
  { userId, sessionId, name, source }: Self,
  which: string | 'all others',
): Promise<number> =>
  inTransaction(db, async (tx) => {
    if (which === sessionId)
      throw new Refusal('Conflict', 'This is your current session. Sign out to end it.');
    let ending = tx.deleteFrom('staff_session').where('user_id', '=', userId).where('id', '<>', sessionId);
    if (which !== 'all others') ending = ending.where('id', '=', which);
    const { numDeletedRows } = await ending.executeTakeFirst();
    const ended = Number(numDeletedRows);
    if (ended === 0 && which !== 'all others')
      throw new Refusal('NotFound', 'This session has already ended.');
    if (ended > 0)
      await recordForPerson(tx, { userId, name }, source, {
        action: 'staff.end-sessions',
        after: { ended },
      });
    return ended;
  });
