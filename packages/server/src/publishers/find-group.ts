import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { Refusal } from '../platform/refusal.ts';
import { requirePublisher } from './require-publisher.ts';

/**
 * The id of the group that is meant: the one that is named, or the default group.
 * @throws Refusal NotFound when there is no such publisher or group
 */
export async function findGroup(
  db: Db | Tx,
  publisherId: string,
  named: string | undefined,
): Promise<string> {
  await requirePublisher(db, publisherId);
  const groups = db.selectFrom('creator_group').select('group_id').where('publisher_id', '=', publisherId);
  const found = await (named === undefined
    ? groups.where('is_default', '=', true)
    : groups.where('group_id', '=', named)
  ).executeTakeFirst();
  if (found === undefined)
    throw new Refusal(
      'NotFound',
      `Publisher ${publisherId} has no group${named === undefined ? '' : ` ${named}`}.`,
    );
  return found.group_id;
}
