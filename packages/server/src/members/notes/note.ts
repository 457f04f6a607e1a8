import type { Actor } from '../../audit/actor.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId, NoteId } from '../../platform/database/tables.generated.ts';
import { isRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { versionOf } from '../../platform/version.ts';

/** Maximum number of notes on a creator. A claim may exceed it by adding the claimed member's notes. */
export const maxNotes = 200;
export const maxNoteLength = 2_000;

/** Note that a publisher's staff write about a creator. Creators never see it. */
export interface Note {
  noteId: NoteId;
  text: string;
  author: Pick<Actor, 'kind' | 'name'>;
  /** True if the actor reading the note wrote it. Only its author may edit a note. */
  isOwn: boolean;
  createdAt: Date;
  editedAt: Date | null;
  version: string;
}

export const noteColumns = [
  'note_id',
  'account_id',
  'body',
  'author_kind',
  'author_id',
  'author_name',
  'created_at',
  'edited_at',
  'removed_at',
] as const;

export interface NoteRow {
  note_id: NoteId;
  account_id: AccountId;
  body: string;
  author_kind: string;
  author_id: string;
  author_name: string;
  created_at: Date;
  edited_at: Date | null;
  removed_at: Date | null;
}

export const toNote = (row: NoteRow, actor: Actor): Note => ({
  noteId: row.note_id,
  text: row.body,
  author: { kind: row.author_kind as Actor['kind'], name: row.author_name },
  isOwn: isOwn(row, actor),
  createdAt: row.created_at,
  editedAt: row.edited_at,
  version: versionOf([row.body]),
});

const isOwn = ({ author_kind, author_id }: NoteRow, { kind, id }: Actor): boolean =>
  author_kind === kind && author_id === id;

/** Actor, and whether the actor may remove other authors' notes. */
export interface NoteEditor {
  actor: Actor;
  mayRemoveAll: boolean;
}

export interface NoteKey {
  publisherId: string;
  /** Account of the creator, after claims. */
  accountId: AccountId;
  noteId: string;
}

/** Reads a note in order to change it. The caller must hold the program's lock. @throws Refusal NotFound */
export async function requireNote(tx: Tx, { publisherId, accountId, noteId }: NoteKey): Promise<NoteRow> {
  const row = isRowId(noteId)
    ? await tx
        .selectFrom('creator_note')
        .select(noteColumns)
        .where('publisher_id', '=', publisherId)
        .where('note_id', '=', noteId as NoteId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw new Refusal('NotFound', "The note doesn't exist, or it was removed.");
  return row;
}

export function requireOwn(row: NoteRow, actor: Actor): void {
  if (!isOwn(row, actor))
    throw new Refusal('Forbidden', `Only ${row.author_name}, who wrote this note, may edit it.`);
}

export function requireRemovable(row: NoteRow, { actor, mayRemoveAll }: NoteEditor): void {
  if (!mayRemoveAll && !isOwn(row, actor))
    throw new Refusal(
      'Forbidden',
      `Only ${row.author_name}, who wrote this note, or a person with permission to change creators can remove it.`,
    );
}

/** Checks a note's text and returns it without surrounding whitespace. @throws Refusal InvalidInput */
export function noteText(typed: string): string {
  const text = typed.trim();
  if (text === '' || text.length > maxNoteLength || text.includes('\0') || !text.isWellFormed())
    throw new Refusal('InvalidInput', `A note must have 1 to ${maxNoteLength} characters.`, {
      path: ['text'],
    });
  return text;
}

/**
 * Note as recorded in the audit log. The text is left out because it may contain personal data, and audit entries can't
 * be deleted.
 */
export const auditedNote = ({ note_id, body }: Pick<NoteRow, 'note_id' | 'body'>) => ({
  note: note_id,
  characters: body.length,
});
