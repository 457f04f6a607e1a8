import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { readMoment } from '../../platform/database/moment.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { type CreatorKey, requireCreator } from '../read/require-creator.ts';
import { refuseLate } from '../undo-time.ts';
import { refuseTooMany } from './add-note.ts';
import { auditedNote, type Note, type NoteEditor, requireNote, requireRemovable, toNote } from './note.ts';

interface NoteToRemove extends CreatorKey {
  noteId: string;
}

/**
 * Removes a note, or restores a removed one that hasn't been purged yet. Has no effect if the note is already removed
 * or restored.
 * @throws Refusal NotFound, Forbidden; Conflict if a note can't be restored because it is too late or the creator has
 * too many
 */
export function setNoteRemoved(
  db: Db,
  editor: NoteEditor,
  { noteId, ...creator }: NoteToRemove,
  isRemoved: boolean,
): Promise<Note> {
  const { publisherId } = creator;
  const { actor } = editor;
  return inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      const { accountId } = await requireCreator(tx, creator);
      const row = await requireNote(tx, { publisherId, accountId, noteId });
      requireRemovable(row, editor);
      const note = toNote(row, actor);
      if ((row.removed_at !== null) === isRemoved) return note;
      const now = await readMoment(tx);
      if (row.removed_at !== null) {
        refuseLate(row.removed_at, now);
        await refuseTooMany(tx, publisherId, accountId);
      }
      await tx
        .updateTable('creator_note')
        .set({ removed_at: isRemoved ? now : null })
        .where('publisher_id', '=', publisherId)
        .where('note_id', '=', row.note_id)
        .execute();
      const facts = auditedNote(row);
      await recordChange(tx, actor, {
        publisherId,
        action: isRemoved ? 'note.remove' : 'note.restore',
        target: `member:${accountId}`,
        ...(isRemoved ? { before: facts } : { after: facts }),
      });
      return note;
    }),
  );
}
