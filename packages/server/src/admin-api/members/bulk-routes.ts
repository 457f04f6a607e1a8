import { type Static, Type } from 'typebox';
import type { Actor } from '../../audit/actor.ts';
import type { Service } from '../../composition.ts';
import {
  type ChosenMember,
  type CommonChange,
  changeMembers,
  maxChosen,
} from '../../members/change/change-members.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { toAccountId } from '../../platform/ids.ts';
import { closed, inputReference } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { resolveGroup } from '../../publishers/resolve-group.ts';
import { adminOperations } from '../admin-operations.ts';
import { groupQuery, nullable } from '../schemas.ts';
import { removalReason } from './member-schemas.ts';

/**
 * Selected creators: either rows of a list, or pasted codes, which are looked up in the group that the query
 * names.
 */
const chosen = {
  members: Type.Optional(
    Type.Array(
      Type.Object(
        {
          memberId: Type.String({ minLength: 1, maxLength: 255 }),
          groupId: Type.String({ minLength: 1, maxLength: 64 }),
        },
        { ...closed, title: 'ChosenCreator' },
      ),
      { maxItems: maxChosen },
    ),
  ),
  codes: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: storable }), { maxItems: maxChosen }),
  ),
};

const outcomes = Type.Object(
  {
    outcomes: Type.Array(
      Type.Object(
        {
          groupId: Type.String(),
          memberId: nullable(Type.String()),
          code: nullable(Type.String({ description: 'Code as pasted.' })),
          outcome: Type.Union([Type.Literal('done'), Type.Literal('as before'), Type.Literal('refused')]),
          message: nullable(Type.String({ description: 'Reason for the rejection.' })),
        },
        { title: 'CreatorOutcome' },
      ),
      { description: 'One outcome per creator, in the order of the request: members first, then codes.' },
    ),
  },
  { title: 'CreatorOutcomes' },
);

const description =
  'Up to 1,000 creators, each with its own outcome. A rejected creator does not affect the others.';
const querystring = Type.Object(groupQuery);

export function bulkRoutes(app: App, service: Service): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['post', '/publishers/:publisherId/members/bulk/approve', 'approveCreators'],
    {
      may: 'approve',
      summary: 'Approve many creators',
      description,
      query: querystring.properties,
      body: Type.Object(chosen, { ...closed, title: 'CreatorsToApprove' }),
      answer: outcomes,
    },
    ({ params: { publisherId }, query: { group }, body, actor }) =>
      changeChosen(service, actor, { ...body, publisherId, group, change: { kind: 'approve' } }),
  );
  operation(
    ['post', '/publishers/:publisherId/members/bulk/remove', 'removeCreators'],
    {
      may: 'members',
      summary: 'Remove many creators',
      description,
      query: querystring.properties,
      body: Type.Object({ ...chosen, reason: removalReason }, { ...closed, title: 'CreatorsToRemove' }),
      answer: outcomes,
    },
    ({ params: { publisherId }, query: { group }, body: { reason, ...body }, actor }) =>
      changeChosen(service, actor, {
        ...body,
        publisherId,
        group,
        change: { kind: 'remove', reason },
      }),
  );
  operation(
    ['post', '/publishers/:publisherId/members/bulk/tier', 'setTierOfCreators'],
    {
      may: 'members',
      summary: 'Set the tier of many creators',
      description: `${description} The tier must belong to the creator's group.`,
      query: querystring.properties,
      body: Type.Object(
        { ...chosen, tier: nullable(inputReference) },
        { ...closed, title: 'TierForCreators' },
      ),
      answer: outcomes,
    },
    ({ params: { publisherId }, query: { group }, body: { tier, ...body }, actor }) =>
      changeChosen(service, actor, { ...body, publisherId, group, change: { kind: 'tier', tier } }),
  );
}

interface BulkChange {
  publisherId: string;
  group?: string | undefined;
  members?: { memberId: string; groupId: string }[] | undefined;
  codes?: string[] | undefined;
  change: CommonChange;
}

async function changeChosen(
  { database: { db }, programs }: Service,
  actor: Actor,
  { publisherId, group: namedGroup, members = [], codes = [], change }: BulkChange,
): Promise<Static<typeof outcomes>> {
  if (members.length + codes.length > maxChosen)
    throw new Refusal(
      'InvalidInput',
      `At most ${maxChosen} creators can be changed at once. Split them across several requests.`,
    );
  const named = members.map(({ memberId, groupId }) => ({
    group: { groupId, name: groupId },
    memberId: toAccountId(memberId),
  }));
  const all: ChosenMember[] = [...named];
  if (codes.length > 0) {
    const { groupId, name } = await resolveGroup(programs, publisherId, null, namedGroup);
    all.push(...codes.map((code) => ({ group: { groupId, name }, code })));
  }
  return { outcomes: await changeMembers(db, actor, { publisherId, members: all, change }) };
}
