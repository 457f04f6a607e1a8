import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { refuseStaleEdit } from '../../platform/version.ts';
import { lockViews, readOwnedView, type ViewOwner } from './views.ts';

/**
 * Removes a view. Lists that had it as the default show all rows again.
 * @throws Refusal NotFound, Stale
 */
export const removeView = (
  db: Db,
  actor: Actor,
  owner: ViewOwner,
  { viewId, version }: { viewId: string; version: string },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { publisherId, userId } = owner;
    await lockViews(tx, owner);
    const before = await readOwnedView(tx, owner, viewId);
    const { list, name, query } = before;
    refuseStaleEdit(`The view ${name}`, version, before.version);
    await tx
      .deleteFrom('saved_view')
      .where('publisher_id', '=', publisherId)
      .where('view_id', '=', before.viewId)
      .execute();
    if (userId === null)
      await recordChange(tx, actor, {
        publisherId,
        action: 'view.remove',
        target: `view:${viewId}`,
        before: { list, name, query },
      });
  });
