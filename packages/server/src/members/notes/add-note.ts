import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { readMoment } from '../../platform/database/moment.ts';
import type { AccountId, NoteId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { type CreatorKey, requireCreator } from '../read/require-creator.ts';
import { auditedNote, maxNotes, type Note, noteText, toNote } from './note.ts';

/**
 * Adds a note to a creator. Notes aren't part of the program, but adding one takes its lock, so that the creator can't
 * be claimed at the same time.
 * @throws Refusal NotFound; InvalidInput; Conflict if the creator has too many notes
 */
export function addNote(
  db: Db,
  actor: Actor,
  { text: typed, ...creator }: CreatorKey & { text: string },
): Promise<Note> {
  const text = noteText(typed);
  const { publisherId } = creator;
  return inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      const { accountId } = await requireCreator(tx, creator);
      await refuseTooMany(tx, publisherId, accountId);
      const row = {
        note_id: newRowId<NoteId>(),
        account_id: accountId,
        body: text,
        author_kind: actor.kind,
        author_id: actor.id,
        author_name: actor.name,
        created_at: await readMoment(tx),
        edited_at: null,
        removed_at: null,
      };
      await tx
        .insertInto('creator_note')
        .values({ publisher_id: publisherId, ...row })
        .execute();
      await recordChange(tx, actor, {
        publisherId,
        action: 'note.create',
        target: `member:${accountId}`,
        after: auditedNote(row),
      });
      return toNote(row, actor);
    }),
  );
}

/** @throws Refusal Conflict */
export async function refuseTooMany(tx: Tx, publisherId: string, accountId: AccountId): Promise<void> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count
    from creator_note
    where publisher_id = ${publisherId} and account_id = ${accountId} and removed_at is null`.execute(tx);
  if (Number(rows[0]?.count) >= maxNotes)
    throw new Refusal(
      'Conflict',
      `The creator already has ${maxNotes} notes. Remove one that is no longer needed.`,
    );
}
