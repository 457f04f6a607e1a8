import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { readMoment } from '../../platform/database/moment.ts';
import { Refusal } from '../../platform/refusal.ts';
import { refuseStaleEdit } from '../../platform/version.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { type CreatorKey, requireCreator } from '../read/require-creator.ts';
import { auditedNote, type Note, noteText, requireNote, requireOwn, toNote } from './note.ts';

interface NoteEdit extends CreatorKey {
  noteId: string;
  /** Version that the edit is based on. */
  version: string;
  text: string;
}

/** Replaces the text of the actor's own note. @throws Refusal NotFound, Forbidden, Stale, InvalidInput */
export function editNote(
  db: Db,
  actor: Actor,
  { noteId, version, text: typed, ...creator }: NoteEdit,
): Promise<Note> {
  const text = noteText(typed);
  const { publisherId } = creator;
  return inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      const { accountId } = await requireCreator(tx, creator);
      const row = await requireNote(tx, { publisherId, accountId, noteId });
      if (row.removed_at !== null) throw new Refusal('NotFound', 'The note was removed.');
      requireOwn(row, actor);
      refuseStaleEdit('The note', version, toNote(row, actor).version);
      if (text === row.body) return toNote(row, actor);
      const edited = { ...row, body: text, edited_at: await readMoment(tx) };
      await tx
        .updateTable('creator_note')
        .set({ body: edited.body, edited_at: edited.edited_at })
        .where('publisher_id', '=', publisherId)
        .where('note_id', '=', row.note_id)
        .execute();
      await recordChange(tx, actor, {
        publisherId,
        action: 'note.edit',
        target: `member:${accountId}`,
        before: auditedNote(row),
        after: auditedNote(edited),
      });
      return toNote(edited, actor);
    }),
  );
}
