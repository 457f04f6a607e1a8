import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { toViewId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ViewListName } from './view-lists.ts';
import { lockViews } from './views.ts';

/**
 * Sets a person's default view of a list.
 * @param choice with a `viewId` of null to show all rows
 * @throws Refusal NotFound for a view that the person can't see or that belongs to another list
 */
export const chooseDefaultView = (
  db: Db,
  person: { publisherId: string; userId: string },
  { list, viewId }: { list: ViewListName; viewId: string | null },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { publisherId, userId } = person;
    await lockViews(tx, person);
    if (viewId === null) {
      await tx
        .deleteFrom('default_view')
        .where('publisher_id', '=', publisherId)
        .where('user_id', '=', userId)
        .where('list', '=', list)
        .execute();
      return;
    }
    const id = toViewId(viewId);
    const view =
      id === null
        ? undefined
        : await tx
            .selectFrom('saved_view')
            .select(['view_id', 'user_id'])
            .where('publisher_id', '=', publisherId)
            .where('view_id', '=', id)
            .where('list', '=', list)
            .executeTakeFirst();
    if (view === undefined || (view.user_id !== null && view.user_id !== userId))
      throw new Refusal('NotFound', 'The view does not exist. It may have been removed.');
    await tx
      .insertInto('default_view')
      .values({ publisher_id: publisherId, user_id: userId, list, view_id: view.view_id })
      .onConflict((conflict) =>
        conflict.columns(['publisher_id', 'user_id', 'list']).doUpdateSet({ view_id: view.view_id }),
      )
      .execute();
  });
