import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { lookUpMembers } from '../../members/look-up/look-up-members.ts';
import { maxCells } from '../../members/look-up/parse-list.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { adminOperations } from '../admin-operations.ts';
import { groupQuery, nullable, oneOf } from '../schemas.ts';
import { memberStatus } from './member-schemas.ts';

/** Maximum length of a list, in characters: 100 per cell. */
const maxListLength = maxCells * 100;

const listedCreator = Type.Object(
  {
    memberId: Type.String(),
    name: Type.String(),
    groupId: Type.String(),
    groupName: Type.String(),
    status: memberStatus,
    tier: nullable(Type.String({ description: "Name of the tier; null for the group's share." })),
  },
  { title: 'CreatorInList' },
);

export function lookUpRoute(app: App, { database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['post', '/publishers/:publisherId/members/look-up', 'lookUpCreators'],
    {
      may: 'read',
      summary: 'Find the creators named in a pasted list',
      description:
        'Text with a code, account id, player id or full name in each cell. Cells are separated by new lines, commas, semicolons or tabs. A line with commas may be one name, and a spreadsheet row may describe one creator in several cells. Changes nothing.',
      query: groupQuery,
      body: Type.Object(
        { text: Type.String({ maxLength: maxListLength, pattern: storable }) },
        { ...closed, title: 'CreatorList' },
      ),
      answer: Type.Object(
        {
          cellCount: Type.Integer({
            description: `Number of cells in the list. Only the first ${maxCells} are looked up.`,
          }),
          entries: Type.Array(
            Type.Object(
              {
                text: Type.String({ description: "Text as pasted; a row's cells are joined." }),
                line: Type.Integer({ description: 'Line number, starting at 1.' }),
                state: oneOf(['found', 'ambiguous', 'elsewhere', 'doubled', 'unknown'], {
                  description:
                    '`found`: exactly one creator in the group. `ambiguous`: several creators. `elsewhere`: only in other groups. `doubled`: an earlier entry names the same creator.',
                }),
                creators: Type.Array(listedCreator, { description: 'Up to five matching creators.' }),
              },
              { title: 'ListEntry' },
            ),
          ),
        },
        { title: 'CreatorLookUp' },
      ),
    },
    async ({ params: { publisherId }, query: { group }, body: { text } }) => {
      const groupId = group === undefined ? null : await findGroup(db, publisherId, group);
      return lookUpMembers(db, { publisherId, groupId, text });
    },
  );
}
