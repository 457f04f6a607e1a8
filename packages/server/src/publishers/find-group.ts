import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { Refusal } from '../platform/refusal.ts';
import { requirePublisher } from './require-publisher.ts';

/**
 * Returns the id of the requested group, or of the default group.
 * @throws Refusal NotFound for an unknown publisher or group
 */
export async function findGroup(
  db: Db | Tx,
  publisherId: string,
  requestedId: string | undefined,
): Promise<string> {
  await requirePublisher(db, publisherId);
  const groups = db.selectFrom('creator_group').select('group_id').where('publisher_id', '=', publisherId);
  const found = await (requestedId === undefined
    ? groups.where('is_default', '=', true)
    : groups.where('group_id', '=', requestedId)
  ).executeTakeFirst();
  if (found === undefined)
    throw new Refusal(
      'NotFound',
      `Publisher ${publisherId} has no group${requestedId === undefined ? '' : ` ${requestedId}`}.`,
    );
  return found.group_id;
}
