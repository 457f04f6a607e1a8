import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import type { ViewId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readViewQuery, type ViewListName, type ViewQuery } from './view-lists.ts';
import {
  lockViews,
  maxViewsOfPerson,
  maxViewsOfTeam,
  readViewName,
  refuseUsedName,
  type SavedView,
  toView,
  type ViewOwner,
} from './views.ts';

export interface NewView {
  list: ViewListName;
  /** Unique among the owner's views of the list. */
  name: string;
  query: ViewQuery;
}

/**
 * Saves a new view. A shared view adds an audit entry; a private one doesn't, because only its owner sees it.
 * @throws Refusal InvalidInput for a parameter that a view can't contain, Conflict if the name is taken or
 * there are too many views
 */
export const createView = (
  db: Db,
  actor: Actor,
  owner: ViewOwner,
  { list, name: sentName, query: sent }: NewView,
): Promise<SavedView> =>
  inTransaction(db, async (tx) => {
    const { publisherId, userId } = owner;
    const name = readViewName(sentName);
    const query = readViewQuery(list, sent);
    await lockViews(tx, owner);
    const max = userId === null ? maxViewsOfTeam : maxViewsOfPerson;
    const existing = await tx
      .selectFrom('saved_view')
      .select('view_id')
      .where('publisher_id', '=', publisherId)
      .where('user_id', userId === null ? 'is' : '=', userId)
      .limit(max)
      .execute();
    if (existing.length === max)
      throw new Refusal(
        'Conflict',
        userId === null
          ? `The team already shares ${max} views. Remove one first.`
          : `You already have ${max} views. Remove one first.`,
      );
    const row = {
      publisher_id: publisherId,
      view_id: newRowId<ViewId>(),
      list,
      user_id: userId,
      name,
      query: JSON.stringify(query),
    };
    await refuseUsedName(name, () => tx.insertInto('saved_view').values(row).execute());
    if (userId === null)
      await recordChange(tx, actor, {
        publisherId,
        action: 'view.create',
        target: `view:${row.view_id}`,
        after: { list, name, query },
      });
    return toView({ ...row, query });
  });
