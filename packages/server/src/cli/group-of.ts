import type { Db } from '../platform/database/database.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';

/**
 * The group that a command means: the one it names, or the default group.
 * @throws OperatorError when there is no such publisher or group
 */
export async function groupOf(db: Db, publisherId: string, named: string | undefined): Promise<string> {
  await requirePublisher(db, publisherId);
  const groups = db.selectFrom('creator_group').select('group_id').where('publisher_id', '=', publisherId);
  const found = await (named === undefined
    ? groups.where('is_default', '=', true)
    : groups.where('group_id', '=', named)
  ).executeTakeFirst();
  if (found === undefined)
    throw new OperatorError(
      `Publisher ${publisherId} has no group${named === undefined ? '' : ` ${named}`}.`,
    );
  return found.group_id;
}
