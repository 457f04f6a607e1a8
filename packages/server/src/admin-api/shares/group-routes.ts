import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed, inputCurrency, inputGroupId, inputName, inputPercent } from '../../platform/inputs.ts';
import { changeGroup } from '../../publishers/change-group.ts';
import { payoutCalendarInput } from '../../publishers/payout-calendar.ts';
import { readGroups } from '../../publishers/read-groups.ts';
import { adminOperations } from '../admin-operations.ts';
import { provenanceField, withProvenance } from '../provenance.ts';
import { requireFound } from '../require-found.ts';
import { editedVersion, minor, nullable, versionField } from '../schemas.ts';
import { percentNumber } from './share-schemas.ts';

const minimum = Type.Object(
  {
    currency: Type.String(),
    amount: minor('Minimum payout. A member who is owed less waits for a later payout.'),
  },
  { title: 'PayoutMinimum' },
);

const group = Type.Object(
  {
    groupId: Type.String(),
    name: Type.String(),
    isDefault: Type.Boolean({
      description: 'True for the default group, which applies to requests that do not name a group.',
    }),
    revShare: percentNumber("Default share of the group's members."),
    codeTtlDays: Type.Integer(),
    holdDays: Type.Integer({ description: 'Days after a purchase during which it cannot be paid.' }),
    payoutMinimums: Type.Array(minimum),
    disabledCurrencies: Type.Array(Type.String()),
    payoutCalendar: nullable(payoutCalendarInput),
    version: versionField,
    provenance: provenanceField,
  },
  { title: 'CreatorGroup' },
);

const days = (minimum: number) => Type.Optional(Type.Integer({ minimum, maximum: 3_650 }));

export function groupRoutes(app: App, { database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Shares');
  const show = async (publisherId: string, groupId: string | null) =>
    withProvenance(
      db,
      publisherId,
      await readGroups(db, publisherId, groupId),
      (group) => `group:${group.groupId}`,
    );
  operation(
    ['get', '/publishers/:publisherId/groups', 'listCreatorGroups'],
    {
      may: 'read',
      summary: 'List creator groups with their settings',
      answer: Type.Object({ rows: Type.Array(group) }, { title: 'CreatorGroups' }),
    },
    async ({ params }) => ({ rows: await show(params.publisherId, null) }),
  );
  operation(
    ['put', '/publishers/:publisherId/groups/:groupId', 'putCreatorGroup'],
    {
      may: 'program',
      summary: 'Create a creator group, or change the given settings of an existing group',
      path: { groupId: inputGroupId },
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
                    description: 'Amount in minor units, at most 15 digits.',
                  }),
                },
                closed,
              ),
              { maxItems: 300 },
            ),
          ),
          disabledCurrencies: Type.Optional(Type.Array(inputCurrency, { maxItems: 300 })),
          payoutCalendar: Type.Optional(nullable(payoutCalendarInput)),
          isDefault: Type.Optional(
            Type.Literal(true, {
              description: 'Makes this the default group, replacing the current one.',
            }),
          ),
        },
        closed,
      ),
      answer: group,
    },
    async ({ params: { publisherId, groupId }, body, actor }) => {
      const { codeTtlDays, payoutMinimums, ...settings } = body;
      await changeGroup(db, actor, {
        publisherId,
        id: groupId,
        ...settings,
        ...(codeTtlDays !== undefined && { codeTTLInDays: codeTtlDays }),
        ...(payoutMinimums !== undefined && {
          payoutMinimums: Object.fromEntries(
            payoutMinimums.map(({ currency, amount }) => [currency, Number(amount)]),
          ),
        }),
      });
      const [changed] = await show(publisherId, groupId);
      return requireFound(changed, 'The group');
    },
  );
}
