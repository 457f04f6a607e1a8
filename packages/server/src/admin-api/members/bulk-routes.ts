import { type Static, Type } from 'typebox';
import type { Actor } from '../../audit/actor.ts';
import type { Service } from '../../composition.ts';
import { type CommonChange, changeMembers, maxChosen } from '../../members/change/change-members.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toAccountId } from '../../platform/ids.ts';
import { closed, inputReference } from '../../platform/inputs.ts';
import { adminOperations } from '../admin-operations.ts';
import { nullable } from '../schemas.ts';
import { removalReason, tagNameField } from './member-schemas.ts';

/** Selected creators. */
const chosen = {
  members: Type.Array(
    Type.Object(
      {
        memberId: Type.String({ minLength: 1, maxLength: 255 }),
        groupId: Type.String({ minLength: 1, maxLength: 64 }),
      },
      { ...closed, title: 'ChosenCreator' },
    ),
    { maxItems: maxChosen },
  ),
};

const outcomes = Type.Object(
  {
    outcomes: Type.Array(
      Type.Object(
        {
          groupId: Type.String(),
          memberId: Type.String(),
          outcome: Type.Union([Type.Literal('done'), Type.Literal('as before'), Type.Literal('refused')]),
          message: nullable(Type.String({ description: 'Reason for the rejection.' })),
          tierBefore: nullable(
            Type.String({
              description:
                'Name of the previous tier; null for no tier, and for changes other than a change of tier.',
            }),
          ),
        },
        { title: 'CreatorOutcome' },
      ),
      { description: 'One outcome per creator, in the order of the request.' },
    ),
  },
  { title: 'CreatorOutcomes' },
);

const description =
  'Up to 1,000 creators, each with its own outcome. A rejected creator does not affect the others.';

export function bulkRoutes(app: App, service: Service): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['post', '/publishers/:publisherId/members/bulk/approve', 'approveCreators'],
    {
      may: 'approve',
      summary: 'Approve many creators',
      description,
      body: Type.Object(chosen, { ...closed, title: 'CreatorsToApprove' }),
      answer: outcomes,
    },
    ({ params: { publisherId }, body, actor }) =>
      changeChosen(service, actor, { ...body, publisherId, change: { kind: 'approve' } }),
  );
  operation(
    ['post', '/publishers/:publisherId/members/bulk/remove', 'removeCreators'],
    {
      may: 'members',
      summary: 'Remove many creators',
      description,
      body: Type.Object({ ...chosen, reason: removalReason }, { ...closed, title: 'CreatorsToRemove' }),
      answer: outcomes,
    },
    ({ params: { publisherId }, body: { reason, ...body }, actor }) =>
      changeChosen(service, actor, {
        ...body,
        publisherId,
        change: { kind: 'remove', reason },
      }),
  );
  operation(
    ['post', '/publishers/:publisherId/members/bulk/tier', 'setTierOfCreators'],
    {
      may: 'members',
      summary: 'Set the tier of many creators',
      description: `${description} The tier must belong to the creator's group. With \`from\`, creators who no longer have that tier are rejected, so that a change can be undone safely.`,
      body: Type.Object(
        {
          ...chosen,
          tier: nullable(inputReference),
          from: Type.Optional(nullable(inputReference)),
        },
        { ...closed, title: 'TierForCreators' },
      ),
      answer: outcomes,
    },
    ({ params: { publisherId }, body: { tier, from, ...body }, actor }) =>
      changeChosen(service, actor, { ...body, publisherId, change: { kind: 'tier', tier, from } }),
  );
  operation(
    ['post', '/publishers/:publisherId/members/bulk/tag', 'tagCreators'],
    {
      may: 'notes',
      summary: 'Tag one or more creators, or remove a tag from them',
      description: `${description} The first use of a name creates the tag. A creator has the same tags in all groups.`,
      body: Type.Object(
        {
          ...chosen,
          tag: tagNameField,
          isTagged: Type.Boolean({ description: 'False to remove the tag.' }),
        },
        { ...closed, title: 'TagForCreators' },
      ),
      answer: outcomes,
    },
    ({ params: { publisherId }, body: { tag, isTagged, ...body }, actor }) =>
      changeChosen(service, actor, {
        ...body,
        publisherId,
        change: { kind: 'tag', tag, isTagged },
      }),
  );
}

interface BulkChange {
  publisherId: string;
  members: { memberId: string; groupId: string }[];
  change: CommonChange;
}

async function changeChosen(
  { database: { db } }: Service,
  actor: Actor,
  { publisherId, members, change }: BulkChange,
): Promise<Static<typeof outcomes>> {
  const chosenMembers = members.map(({ memberId, groupId }) => ({
    groupId,
    memberId: toAccountId(memberId),
  }));
  return { outcomes: await changeMembers(db, actor, { publisherId, members: chosenMembers, change }) };
}
