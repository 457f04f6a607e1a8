import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { may, staffOf } from '../../accounts/require-staff.ts';
import { actorKinds } from '../../audit/actor.ts';
import type { Service } from '../../composition.ts';
import { addNote } from '../../members/notes/add-note.ts';
import { editNote } from '../../members/notes/edit-note.ts';
import { listNotes } from '../../members/notes/list-notes.ts';
import { maxNoteLength, maxNotes, type NoteEditor } from '../../members/notes/note.ts';
import { setNoteRemoved } from '../../members/notes/remove-note.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { toAccountId } from '../../platform/ids.ts';
import { closed } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import { adminOperations } from '../admin-operations.ts';
import { editedVersion, nullable, oneOf, pageOf, pageQuery, time, versionField } from '../schemas.ts';
import { memberPath } from './member-schemas.ts';

const note = Type.Object(
  {
    noteId: Type.String(),
    text: nullable(
      Type.String({
        description: 'Null for roles without the `unmasked` permission, because a note may name a buyer.',
      }),
    ),
    author: Type.Object({ kind: oneOf(actorKinds), name: Type.String() }, { title: 'NoteAuthor' }),
    isOwn: Type.Boolean({ description: 'True if the caller wrote the note. Only the author may edit it.' }),
    createdAt: time('When the note was written.'),
    editedAt: nullable(time('When the note was last edited.')),
    version: versionField,
  },
  { title: 'CreatorNote' },
);

const text = Type.String({ minLength: 1, maxLength: maxNoteLength, pattern: storable });
const notePath = { ...memberPath.properties, noteId: Type.String({ minLength: 1, maxLength: 64 }) };

export function noteRoutes(app: App, { database: { db } }: Service, pages: Pages): void {
  const { operation } = adminOperations(app, 'Creators');
  const editorOf = (request: FastifyRequest): NoteEditor => ({
    actor: request.actor,
    mayRemoveAll: may(staffOf(request), 'members'),
  });
  const at = ({ publisherId, memberId }: { publisherId: string; memberId: string }) => ({
    publisherId,
    memberId: toAccountId(memberId),
  });
  operation(
    ['get', '/publishers/:publisherId/members/:memberId/notes', 'listNotesOfCreator'],
    {
      may: 'read',
      summary: 'List the notes on a creator, newest first',
      description:
        'Notes are for the publisher’s staff. The creator never sees them. A creator has the same notes in all groups.',
      path: memberPath.properties,
      query: pageQuery,
      answer: pageOf(note, 'CreatorNotePage'),
    },
    async (request) => {
      const { params, query, actor } = request;
      const { cursor = null, limit: size = 50 } = query;
      const { rows, nextCursor } = await listNotes(db, pages, actor, { ...at(params), cursor, size });
      const isMasked = !may(staffOf(request), 'unmasked');
      return { rows: rows.map((row) => ({ ...row, text: isMasked ? null : row.text })), nextCursor };
    },
  );
  operation(
    ['post', '/publishers/:publisherId/members/:memberId/notes', 'addNoteToCreator'],
    {
      may: 'notes',
      summary: 'Add a note to a creator',
      description: `A creator has at most ${maxNotes} notes.`,
      path: memberPath.properties,
      body: Type.Object({ text }, { ...closed, title: 'NewCreatorNote' }),
      answer: note,
    },
    ({ params, body, actor }) => addNote(db, actor, { ...at(params), ...body }),
  );
  operation(
    ['patch', '/publishers/:publisherId/members/:memberId/notes/:noteId', 'editNoteOnCreator'],
    {
      may: 'notes',
      summary: 'Edit your own note on a creator',
      path: notePath,
      body: Type.Object({ version: editedVersion, text }, { ...closed, title: 'CreatorNoteEdit' }),
      answer: note,
    },
    ({ params, body, actor }) => editNote(db, actor, { ...at(params), noteId: params.noteId, ...body }),
  );
  operation(
    ['delete', '/publishers/:publisherId/members/:memberId/notes/:noteId', 'removeNoteFromCreator'],
    {
      may: 'notes',
      summary: 'Remove a note from a creator',
      description:
        "Removing another author's note requires the `members` permission. A note can be restored for ten minutes.",
      path: notePath,
      answer: note,
    },
    (request) =>
      setNoteRemoved(db, editorOf(request), { ...at(request.params), noteId: request.params.noteId }, true),
  );
  operation(
    ['post', '/publishers/:publisherId/members/:memberId/notes/:noteId/restore', 'restoreNoteOnCreator'],
    {
      may: 'notes',
      summary: 'Restore a removed note on a creator',
      description: 'Possible within ten minutes of the removal, for callers who may remove the note.',
      path: notePath,
      answer: note,
    },
    (request) =>
      setNoteRemoved(db, editorOf(request), { ...at(request.params), noteId: request.params.noteId }, false),
  );
}
