import { sql } from 'kysely';
import { sqlState } from '../../platform/database/database-errors.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { ViewId } from '../../platform/database/tables.generated.ts';
import { toViewId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { versionOf } from '../../platform/version.ts';
import type { ViewListName, ViewQuery } from './view-lists.ts';

/** Maximum number of private views per person and publisher, across all lists. */
export const maxViewsOfPerson = 100;
/** Maximum number of shared views per publisher, across all lists. */
export const maxViewsOfTeam = 200;

/** Owner of views: a person, or null for the publisher's team. */
export interface ViewOwner {
  publisherId: string;
  userId: string | null;
}

/** Filters, sort order and columns of a list, saved under a name. */
export interface SavedView {
  viewId: ViewId;
  list: ViewListName;
  name: string;
  query: ViewQuery;
  isShared: boolean;
  version: string;
}

export interface ViewRow {
  view_id: ViewId;
  list: string;
  user_id: string | null;
  name: string;
  query: unknown;
}

export function toView({ view_id, list, user_id, name, query: stored }: ViewRow): SavedView {
  const query = stored as ViewQuery;
  const entries = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    viewId: view_id,
    list: list as ViewListName,
    name,
    query,
    isShared: user_id === null,
    version: versionOf([name, entries]),
  };
}

/**
 * Locks a publisher's views against concurrent changes, and prevents their owner from being removed.
 * @throws Refusal NotFound for a person who was removed from the staff
 */
export async function lockViews(tx: Tx, { publisherId, userId }: ViewOwner): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('saved views ' || ${publisherId}::text, 0))`.execute(
    tx,
  );
  if (userId === null) return;
  const person = await tx
    .selectFrom('staff')
    .select('user_id')
    .where('publisher_id', '=', publisherId)
    .where('user_id', '=', userId)
    .forKeyShare()
    .executeTakeFirst();
  if (person === undefined) throw new Refusal('NotFound', "You're no longer on the publisher's team.");
}

/**
 * Reads one of the owner's views. @throws Refusal NotFound if the view doesn't exist or belongs to another
 * owner
 */
export async function readOwnedView(
  tx: Tx,
  { publisherId, userId }: ViewOwner,
  viewId: string,
): Promise<SavedView> {
  const id = toViewId(viewId);
  const row =
    id === null
      ? undefined
      : await tx
          .selectFrom('saved_view')
          .select(['view_id', 'list', 'user_id', 'name', 'query'])
          .where('publisher_id', '=', publisherId)
          .where('view_id', '=', id)
          .where('user_id', userId === null ? 'is' : '=', userId)
          .executeTakeFirst();
  if (row === undefined) throw new Refusal('NotFound', 'The view does not exist. It may have been removed.');
  return toView(row);
}

/** Trims a view's name. @throws Refusal InvalidInput if the name is empty */
export function readViewName(sent: string): string {
  const name = sent.trim();
  if (name === '') throw new Refusal('InvalidInput', 'Enter a name for the view.', { path: ['name'] });
  return name;
}

/**
 * Runs a statement that writes a view's name. @throws Refusal Conflict if the owner already has a view of the
 * list with this name
 */
export async function refuseUsedName<Result>(name: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (sqlState(error) !== '23505') throw error;
    throw new Refusal('Conflict', `There is already a view named ${name}. Choose another name.`);
  }
}
