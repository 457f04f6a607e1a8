import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { refuseStaleEdit } from '../../platform/version.ts';
import { readViewQuery, type ViewQuery } from './view-lists.ts';
import {
  lockViews,
  readOwnedView,
  readViewName,
  refuseUsedName,
  type SavedView,
  toView,
  type ViewOwner,
} from './views.ts';

export interface ChangedView {
  viewId: string;
  /** Version that the actor's edit is based on. */
  version: string;
  name: string;
  query: ViewQuery;
}

/**
 * Renames a view or replaces its contents.
 * @throws Refusal NotFound, Stale, InvalidInput for a parameter that a view can't contain, Conflict if the
 * name is taken
 */
export const changeView = (
  db: Db,
  actor: Actor,
  owner: ViewOwner,
  { viewId, version, name: sentName, query: sent }: ChangedView,
): Promise<SavedView> =>
  inTransaction(db, async (tx) => {
    const { publisherId, userId } = owner;
    await lockViews(tx, owner);
    const before = await readOwnedView(tx, owner, viewId);
    refuseStaleEdit(`The view ${before.name}`, version, before.version);
    const name = readViewName(sentName);
    const query = readViewQuery(before.list, sent);
    const saved = toView({ view_id: before.viewId, list: before.list, user_id: userId, name, query });
    if (saved.version === before.version) return before;
    await refuseUsedName(name, () =>
      tx
        .updateTable('saved_view')
        .set({ name, query: JSON.stringify(query) })
        .where('publisher_id', '=', publisherId)
        .where('view_id', '=', before.viewId)
        .execute(),
    );
    if (userId === null)
      await recordChange(tx, actor, {
        publisherId,
        action: 'view.change',
        target: `view:${viewId}`,
        before: { name: before.name, query: before.query },
        after: { name, query },
      });
    return saved;
  });
