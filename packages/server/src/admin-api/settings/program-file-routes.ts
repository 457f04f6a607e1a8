import { Type } from 'typebox';
import { editedSinceFile } from '../../audit/edited-since-file.ts';
import type { Service } from '../../composition.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { exportProgram } from '../../program-file/export/export-program.ts';
import { adminErrors, publisherPath, time } from '../schemas.ts';

const tags = ['Settings'];

const edited = Type.Object(
  {
    target: Type.String({ description: 'kind:id, as the audit log has it; default-group for which is it.' }),
    file: Type.String({ description: 'The program file that last wrote it.' }),
    filedAt: time('When the file was applied.'),
    editedBy: Type.Object({
      kind: Type.String({ description: 'key, staff, token or command.' }),
      name: Type.String(),
    }),
    editedAt: time('When it was last edited.'),
    isRemoved: Type.Boolean({ description: 'It was deleted; the file makes it again.' }),
    fields: Type.Array(
      Type.Object({
        name: Type.String(),
        file: Type.Unknown({ description: 'What the file says.' }),
        now: Type.Unknown({ description: 'What it was changed to.' }),
      }),
    ),
  },
  { title: 'EditedSinceFile' },
);

export function programFileRoutes(app: App, { clock, database: { db } }: Service): void {
  app.get(
    '/publishers/:publisherId/program-file',
    {
      config: { staff: 'program' },
      schema: {
        operationId: 'exportProgramFile',
        summary: 'The whole program as a program file',
        description: 'Applied to what it was written of, the file changes nothing.',
        tags,
        params: publisherPath,
        response: {
          200: {
            description: 'YAML, in the language of program files.',
            content: { 'application/yaml': { schema: Type.String() } },
          },
          ...adminErrors,
        },
      },
    },
    async ({ params: { publisherId }, actor }, reply) => {
      const text = await exportProgram(db, actor, publisherId, clock.now());
      return reply
        .type('application/yaml; charset=utf-8')
        .header('content-disposition', `attachment; filename="${publisherId}.yaml"`)
        .header('cache-control', 'no-store')
        .send(text);
    },
  );
  app.get(
    '/publishers/:publisherId/program-file/edits',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'listEditsSinceFile',
        summary: 'What a program file, applied again, would undo',
        description: 'Things that a program file said and somebody edited since; of the latest 1,000 edits.',
        tags,
        params: publisherPath,
        response: {
          200: Type.Object({ rows: Type.Array(edited) }, { title: 'EditsSinceFile' }),
          ...adminErrors,
        },
      },
    },
    async ({ params: { publisherId } }, reply) => {
      const rows = await editedSinceFile(db, publisherId);
      return sendJson(reply, {
        rows: rows.map(({ by, filedAt, editedAt, ...rest }) => ({
          ...rest,
          filedAt: filedAt.toISOString(),
          editedBy: by,
          editedAt: editedAt.toISOString(),
        })),
      });
    },
  );
}
