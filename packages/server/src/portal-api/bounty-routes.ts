import { Type } from 'typebox';
import { states } from '../bounties/read/bounty-state.ts';
import type { OwnObjective } from '../bounties/read/list-own-bounties.ts';
import type { App } from '../platform/http/app-type.ts';
import { minor, nullable, oneOf, pageOf, time } from '../platform/http/schemas/fields.ts';
import type { Pages } from '../platform/page.ts';
import type { Portal } from '../portal/create-portal.ts';
import { listBounties } from '../portal/list-bounties.ts';
import { accountsOf } from '../portal/require-portal.ts';
import { idsOf, membershipFields, namesOfMembership, pageQuery } from './membership-fields.ts';
import { portalOperations } from './portal-operations.ts';

const count = 'Number of purchases, players or events; for an amount, minor units of the currency.';

const objective = Type.Object(
  {
    name: Type.String(),
    type: oneOf(['Purchase', 'NewPlayers', 'Event'], {
      title: 'ObjectiveType',
      description: 'What counts: purchases, players who bought for the first time, or events of the game.',
    }),
    condition: oneOf(['Count', 'Amount'], { title: 'ObjectiveCondition' }),
    currency: nullable(Type.String({ description: 'Only purchases in this currency count; null for all.' })),
    products: Type.Array(Type.String(), { description: 'Only these products count; empty for all.' }),
    target: minorCount('Target.'),
    count: minorCount('Progress toward the next completion, up to the target.'),
    missing: minorCount('What is missing to the target.'),
  },
  { title: 'ObjectiveOfCreator' },
);

const reward = Type.Object(
  {
    name: Type.String(),
    type: oneOf(['External', 'Payment', 'Sku'], {
      title: 'RewardType',
      description: 'Payment: money that is added to the balance. External, Sku: the publisher delivers it.',
    }),
    amountMinor: nullable(minor('Amount of a payment; null for other rewards.')),
    currency: nullable(Type.String()),
  },
  { title: 'RewardOfBounty' },
);

const bounty = Type.Object(
  {
    bountyId: Type.String(),
    ...membershipFields,
    name: Type.String(),
    description: nullable(Type.String()),
    imageSrc: nullable(Type.String({ description: 'URL of a picture.' })),
    rewardDescription: nullable(Type.String()),
    state: oneOf(states, { title: 'BountyState' }),
    startsAt: time('When the bounty starts.'),
    endsAt: nullable(time('When the bounty ends; null if it has no end.')),
    limit: nullable(Type.Integer({ description: 'Maximum number of completions; null for no limit.' })),
    completionCount: Type.Integer(),
    isComplete: Type.Boolean({ description: 'True if the limit is reached.' }),
    objectives: Type.Array(objective),
    rewards: Type.Array(reward, { description: 'Rewards of a completion.' }),
    prerequisites: Type.Array(
      Type.Object(
        { name: Type.String(), isComplete: Type.Boolean() },
        { title: 'PrerequisiteOfBounty', description: 'Bounty that must be completed first.' },
      ),
    ),
    completions: Type.Array(
      Type.Object(
        {
          number: Type.Integer(),
          completedAt: time('Time of the completion.'),
          rewards: Type.Array(
            Type.Object(
              {
                name: Type.String(),
                isDelivered: Type.Boolean({ description: 'True if the publisher confirmed the delivery.' }),
              },
              { title: 'RewardOfCompletion' },
            ),
          ),
        },
        { title: 'CompletionOfBounty' },
      ),
      { description: 'Latest 20 completions, newest first.' },
    ),
  },
  {
    title: 'BountyOfCreator',
    description: "Bounty of one of the creator's groups, with the creator's progress.",
  },
);

/** Returns the schema of a count, which may be an amount. */
function minorCount(description: string) {
  return Type.Unsafe<bigint | string>(
    Type.String({ pattern: '^[0-9]{1,40}$', description: `${description} ${count}` }),
  );
}

export function bountyRoutes(app: App, { db, clock }: Portal, pages: Pages): void {
  const operation = portalOperations(app, 'Bounties');
  operation(
    ['get', '/bounties', 'listBounties'],
    {
      of: 'publisher',
      summary: 'List bounties with the creator’s progress',
      description:
        'Lists the latest start first. Bounties that are over are listed if the creator made progress.',
      query: {
        state: Type.Optional(
          oneOf(states, { default: 'running', description: 'State of the bounties; `running` by default.' }),
        ),
        ...pageQuery,
      },
      answer: pageOf(bounty, 'BountyPage'),
    },
    async (request) => {
      const { publisher: publisherId, state = 'running', cursor = null, limit = 30 } = request.query;
      const accountIds = idsOf(accountsOf(request));
      const page = await listBounties(db, clock, pages, {
        publisherId,
        accountIds,
        state,
        cursor,
        size: limit,
      });
      return {
        ...page,
        rows: page.rows.map(({ membership, objectives, ...row }) => ({
          ...row,
          ...namesOfMembership(membership),
          objectives: objectives.map(toObjective),
        })),
      };
    },
  );
}

const toObjective = ({ targetCount, missingCount, ...objective }: OwnObjective) => ({
  ...objective,
  target: targetCount,
  missing: missingCount,
});
