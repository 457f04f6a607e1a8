import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { ViewListName } from './view-lists.ts';
import {
  maxViewsOfPerson,
  maxViewsOfTeam,
  type SavedView,
  toView,
  type ViewOwner,
  type ViewRow,
} from './views.ts';

export interface ListedViews {
  views: SavedView[];
  /** Person's default view of the list; null if there is none. */
  defaultViewId: string | null;
}

/** Returns the views of a list that the person can see (their own and the team's), ordered by name. */
export async function listViews(
  db: Db,
  { publisherId, userId }: ViewOwner,
  list: ViewListName,
): Promise<ListedViews> {
  const { rows } = await sql<ViewRow & { is_default: boolean }>`
    select v.view_id, v.list, v.user_id, v.name, v.query, d.view_id is not null as is_default
    from saved_view v
    left join default_view d
      on d.publisher_id = ${publisherId} and d.user_id = ${userId} and d.list = ${list} and d.view_id = v.view_id
    where v.publisher_id = ${publisherId} and v.list = ${list} and (v.user_id is null or v.user_id = ${userId})
    order by v.name, v.view_id
    limit ${maxViewsOfPerson + maxViewsOfTeam}`.execute(db);
  return {
    views: rows.map(toView),
    defaultViewId: rows.find(({ is_default }) => is_default)?.view_id ?? null,
  };
}
