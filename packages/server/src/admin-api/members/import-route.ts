import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { importMembers, lineVerdicts } from '../../members/import/import-members.ts';
import { importColumns, maxLines } from '../../members/import/parse-members.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { adminErrors, groupQuery, nullable, publisherPath } from '../schemas.ts';
import { codeScope, memberTags } from './member-schemas.ts';

/** 400 bytes a line, of as many lines as are read. */
const longestFile = maxLines * 400;

export function importRoute(app: App, { database: { db } }: Service): void {
  app.post(
    '/publishers/:publisherId/members/import',
    {
      config: { staff: 'members' },
      schema: {
        operationId: 'importCreators',
        summary: 'Import creators from a table',
        description:
          `CSV whose first line names its columns (${importColumns.join(', ')}), with up to ${maxLines} lines after it. ` +
          'A dry run says what would become of each line, and changes nothing. Sent again without it, every line that is ' +
          'good is saved, and one that is refused leaves nothing of itself. A part of the lines is answered at a time: send ' +
          'the same again with `fromLine`, until `nextLine` is null.',
        tags: memberTags,
        params: publisherPath,
        querystring: Type.Object(groupQuery),
        body: Type.Object(
          {
            csv: Type.String({ minLength: 1, maxLength: longestFile, pattern: storable }),
            codeScope,
            isDryRun: Type.Boolean(),
            takeOver: Type.Optional(
              Type.Boolean({ description: 'Also saves lines that take a code over from another creator.' }),
            ),
            fromLine: Type.Optional(
              Type.Integer({ minimum: 1, description: '`nextLine` of the part before.' }),
            ),
          },
          { ...closed, title: 'CreatorsToImport' },
        ),
        response: {
          200: Type.Object(
            {
              groupId: Type.String(),
              isDryRun: Type.Boolean(),
              lineCount: Type.Integer({ description: 'Of the whole file, without its first.' }),
              nextLine: nullable(
                Type.Integer({ description: 'Where the next part begins; null after the last.' }),
              ),
              lines: Type.Array(
                Type.Object(
                  {
                    line: Type.Integer({ description: 'Of the file, counted from 1.' }),
                    verdict: Type.Union(
                      lineVerdicts.map((verdict) => Type.Literal(verdict)),
                      {
                        description:
                          '`takes over`: a code of the line goes before the global one of another creator in the group. Applied, such a line is refused unless `takeOver` is true.',
                      },
                    ),
                    name: nullable(Type.String()),
                    memberId: nullable(Type.String()),
                    codes: Type.Array(Type.String()),
                    problems: Type.Array(Type.String(), {
                      description: 'Why it is refused, a sentence each.',
                    }),
                    warnings: Type.Array(Type.String(), {
                      description:
                        "What it does to others' codes, a sentence each; it is saved all the same.",
                    }),
                  },
                  { title: 'ImportedLine' },
                ),
              ),
            },
            { title: 'CreatorImport' },
          ),
          ...adminErrors,
        },
      },
    },
    async ({ params: { publisherId }, query, body: { isDryRun, ...body }, actor }, reply) => {
      const groupId = await findGroup(db, publisherId, query.group);
      const asked = { ...body, publisherId, groupId, isRehearsal: isDryRun };
      return sendJson(reply, { groupId, isDryRun, ...(await importMembers(db, actor, asked)) });
    },
  );
}
