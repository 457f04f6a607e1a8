import { Type } from 'typebox';
import { editedSinceFile } from '../../audit/edited-since-file.ts';
import type { Service } from '../../composition.ts';
import { attachmentOf } from '../../platform/http/answers/attachment.ts';
import type { App } from '../../platform/http/app-type.ts';
import { exportProgram } from '../../program-file/export/export-program.ts';
import { adminOperations } from '../admin-operations.ts';
import { time } from '../schemas.ts';

const edited = Type.Object(
  {
    target: Type.String({
      description: 'kind:id as in the audit log, or default-group for the choice of the default group.',
    }),
    file: Type.String({ description: 'Program file that last wrote the values.' }),
    filedAt: time('Time the program file was applied.'),
    editedBy: Type.Object({
      kind: Type.String({ description: 'key, staff, token or command.' }),
      name: Type.String(),
    }),
    editedAt: time('Time of the last edit.'),
    isRemoved: Type.Boolean({
      description: 'True if the target was deleted; the program file would create it again.',
    }),
    fields: Type.Array(
      Type.Object({
        name: Type.String(),
        file: Type.Unknown({ description: 'Value in the program file.' }),
        now: Type.Unknown({ description: 'Current value.' }),
      }),
    ),
  },
  { title: 'EditedSinceFile' },
);

export function programFileRoutes(app: App, { clock, database: { db } }: Service): void {
  const { operation, rawOperation } = adminOperations(app, 'Settings');
  rawOperation(
    ['get', '/publishers/:publisherId/program-file', 'exportProgramFile'],
    {
      may: 'program',
      summary: 'Export the program as a program file',
      description: 'Applying the file to the same program changes nothing.',
      answers: {
        200: {
          description: 'Program file in YAML.',
          content: { 'application/yaml': { schema: Type.String() } },
        },
      },
    },
    async ({ params: { publisherId }, actor }, reply) => {
      const text = await exportProgram(db, actor, publisherId, clock.now());
      return reply
        .type('application/yaml; charset=utf-8')
        .header('content-disposition', attachmentOf(`${publisherId}.yaml`))
        .header('cache-control', 'no-store')
        .send(text);
    },
  );
  operation(
    ['get', '/publishers/:publisherId/program-file/edits', 'listEditsSinceFile'],
    {
      may: 'read',
      summary: 'List the edits that a program file would undo when applied again',
      description:
        'Lists values from a program file that were edited later. Only the latest 1,000 edits are checked.',
      answer: Type.Object({ rows: Type.Array(edited) }, { title: 'EditsSinceFile' }),
    },
    async ({ params: { publisherId } }) => {
      const rows = await editedSinceFile(db, publisherId);
      return {
        rows: rows.map(({ by, filedAt, editedAt, ...rest }) => ({
          ...rest,
          filedAt,
          editedBy: by,
          editedAt,
        })),
      };
    },
  );
}
