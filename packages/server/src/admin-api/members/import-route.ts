import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { importMembers, lineVerdicts } from '../../members/import/import-members.ts';
import { importColumns, maxLines } from '../../members/import/parse-members.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { adminOperations } from '../admin-operations.ts';
import { groupQuery, nullable, oneOf } from '../schemas.ts';
import { codeScope } from './member-schemas.ts';

/** Maximum length of a file, in characters: 400 per line. */
const maxFileLength = maxLines * 400;

export function importRoute(app: App, { database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['post', '/publishers/:publisherId/members/import', 'importCreators'],
    {
      may: 'members',
      summary: 'Import creators from CSV',
      description:
        `CSV with a header line that names its columns (${importColumns.join(', ')}) and up to ${maxLines} more lines. ` +
        'A dry run returns the verdict on each line and changes nothing. Otherwise every valid line is saved, and a ' +
        'rejected line changes nothing. A response covers only part of the lines: repeat the request with `fromLine` ' +
        'until `nextLine` is null.',
      query: groupQuery,
      body: Type.Object(
        {
          csv: Type.String({ minLength: 1, maxLength: maxFileLength, pattern: storable }),
          codeScope,
          isDryRun: Type.Boolean(),
          takeOver: Type.Optional(
            Type.Boolean({ description: 'Also saves lines that take a code over from another creator.' }),
          ),
          fromLine: Type.Optional(
            Type.Integer({ minimum: 1, description: '`nextLine` from the previous part.' }),
          ),
        },
        { ...closed, title: 'CreatorsToImport' },
      ),
      answer: Type.Object(
        {
          groupId: Type.String(),
          isDryRun: Type.Boolean(),
          lineCount: Type.Integer({ description: 'Number of lines in the whole file, without the header.' }),
          nextLine: nullable(
            Type.Integer({ description: 'First line of the next part; null after the last part.' }),
          ),
          lines: Type.Array(
            Type.Object(
              {
                line: Type.Integer({ description: 'Line number in the file, starting at 1.' }),
                verdict: oneOf(lineVerdicts, {
                  description:
                    '`takes over`: a code in the line takes precedence over the global code of another creator in the group. Without `takeOver`, such a line is rejected when the import is applied.',
                }),
                name: nullable(Type.String()),
                memberId: nullable(Type.String()),
                codes: Type.Array(Type.String()),
                problems: Type.Array(Type.String(), {
                  description: 'Reasons it is rejected, one sentence each.',
                }),
                warnings: Type.Array(Type.String(), {
                  description:
                    "Effects on other creators' codes, one sentence each. The line is saved anyway.",
                }),
              },
              { title: 'ImportedLine' },
            ),
          ),
        },
        { title: 'CreatorImport' },
      ),
    },
    async ({ params: { publisherId }, query, body: { isDryRun, ...body }, actor }) => {
      const groupId = await findGroup(db, publisherId, query.group);
      const input = { ...body, publisherId, groupId, isRehearsal: isDryRun };
      return { groupId, isDryRun, ...(await importMembers(db, actor, input)) };
    },
  );
}
