import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Page, Pages } from '../../platform/page.ts';
import { type CreatorKey, requireCreator } from '../read/require-creator.ts';
import { type Note, type NoteRow, noteColumns, toNote } from './note.ts';

/**
 * Returns one page of the notes on a creator, newest first.
 * @param size 1 to 1,000
 * @throws Refusal NotFound, InvalidCursor
 */
export async function listNotes(
  db: Db,
  pages: Pages,
  actor: Actor,
  { publisherId, memberId, cursor, size }: CreatorKey & { cursor: string | null; size: number },
): Promise<Page<Note>> {
  const { accountId } = await requireCreator(db, { publisherId, memberId });
  const listing = ['creator-notes', publisherId, accountId];
  const [before = null] = pages.after(listing, cursor) ?? [];
  const { rows } = await sql<NoteRow>`
    select ${sql.join(noteColumns.map((column) => sql.ref(column)))}
    from creator_note
    where publisher_id = ${publisherId} and account_id = ${accountId} and removed_at is null
      ${before === null ? sql`` : sql`and note_id < ${before}::uuid`}
    order by note_id desc
    limit ${size + 1}`.execute(db);
  const page = pages.cut(listing, rows, size, ({ note_id }) => [note_id]);
  return { rows: page.rows.map((row) => toNote(row, actor)), nextCursor: page.nextCursor };
}
