import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed, inputCurrency, inputGroupId, inputName, inputPercent } from '../../platform/inputs.ts';
import { adminErrors, minor, nullable, publisherPath } from '../schemas.ts';
import { changeGroup } from './change-group.ts';
import { showGroups } from './read-groups.ts';
import { editedVersion, percentNumber, provenanceField, versionField } from './share-schemas.ts';

const tags = ['Shares'];

const minimum = Type.Object(
  { currency: Type.String(), amount: minor('A member with less waits for the next payout.') },
  { title: 'PayoutMinimum' },
);

const group = Type.Object(
  {
    groupId: Type.String(),
    name: Type.String(),
    isDefault: Type.Boolean({ description: 'Used where no group is named.' }),
    revShare: percentNumber('What its members earn where no other rule says more.'),
    codeTtlDays: Type.Integer(),
    holdDays: Type.Integer({ description: 'Days a purchase waits before it is paid out.' }),
    payoutMinimums: Type.Array(minimum),
    disabledCurrencies: Type.Array(Type.String()),
    version: versionField,
    provenance: provenanceField,
  },
  { title: 'CreatorGroup' },
);

const days = (least: number) => Type.Optional(Type.Integer({ minimum: least, maximum: 3_650 }));

export function groupRoutes(app: App, { database: { db } }: Service): void {
  app.get(
    '/publishers/:publisherId/groups',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'listCreatorGroups',
        summary: 'Creator groups and their settings',
        tags,
        params: publisherPath,
        response: {
          200: Type.Object({ rows: Type.Array(group) }, { title: 'CreatorGroups' }),
          ...adminErrors,
        },
      },
    },
    async ({ params }, reply) => sendJson(reply, { rows: await showGroups(db, params.publisherId) }),
  );
  app.put(
    '/publishers/:publisherId/groups/:groupId',
    {
      config: { staff: 'program' },
      schema: {
        operationId: 'putCreatorGroup',
        summary: 'Make a creator group, or change what is named of it',
        tags,
        params: Type.Object({ ...publisherPath.properties, groupId: inputGroupId }),
        body: Type.Object(
          {
            version: nullable(editedVersion),
            name: Type.Optional(inputName),
            revShare: Type.Optional(inputPercent('Default percent. Required for a new group.')),
            codeTtlDays: days(1),
            holdDays: days(0),
            payoutMinimums: Type.Optional(
              Type.Array(
                Type.Object(
                  {
                    currency: inputCurrency,
                    amount: Type.String({
                      pattern: '^[0-9]{1,15}$',
                      description: 'minor units, at most 15 digits',
                    }),
                  },
                  closed,
                ),
                { maxItems: 300 },
              ),
            ),
            disabledCurrencies: Type.Optional(Type.Array(inputCurrency, { maxItems: 300 })),
            isDefault: Type.Optional(
              Type.Literal(true, { description: 'Makes it the default; another one stops being it.' }),
            ),
          },
          closed,
        ),
        response: { 200: group, ...adminErrors },
      },
    },
    async ({ params, body, actor }, reply) => {
      const { publisherId, groupId } = params;
      await changeGroup(db, actor, { ...body, publisherId, groupId });
      const [changed] = await showGroups(db, publisherId, groupId);
      return sendJson(reply, changed);
    },
  );
}
