import type { Whence } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { recordForPerson } from './record-for-person.ts';

interface Person {
  userId: string;
  sessionId: string;
  name: string;
}

/**
 * Signs somebody out at one other place, or at all others: what asks stays signed in.
 * @param which one of their own sessions
 * @returns how many ended
 * @throws Refusal NotFound for a session that is not theirs, or has ended, Conflict for the one that asks
 */
export const endOwnSessions = (
  db: Db,
  { userId, sessionId, name }: Person,
  which: string | 'all others',
  whence: Whence,
): Promise<number> =>
  inTransaction(db, async (tx) => {
    if (which === sessionId) throw new Refusal('Conflict', 'This is the sign-in that you use now: sign out.');
    let ending = tx.deleteFrom('staff_session').where('user_id', '=', userId).where('id', '<>', sessionId);
    if (which !== 'all others') ending = ending.where('id', '=', which);
    const { numDeletedRows } = await ending.executeTakeFirst();
    const ended = Number(numDeletedRows);
    if (ended === 0 && which !== 'all others')
      throw new Refusal('NotFound', 'You are not signed in there any more.');
    if (ended > 0)
      await recordForPerson(tx, { userId, name }, whence, {
        action: 'staff.end-sessions',
        after: { ended },
      });
    return ended;
  });
