import type { Db } from '../platform/database/database.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';

/**
 * The group that a command means when it names none.
 * @throws OperatorError when there is no such publisher, or it has no group
 */
export async function defaultGroup(db: Db, publisherId: string): Promise<string> {
  await requirePublisher(db, publisherId);
  const found = await db
    .selectFrom('creator_group')
    .select('group_id')
    .where('publisher_id', '=', publisherId)
    .where('is_default', '=', true)
    .executeTakeFirst();
  if (found === undefined) throw new OperatorError(`Publisher ${publisherId} has no group.`);
  return found.group_id;
}
