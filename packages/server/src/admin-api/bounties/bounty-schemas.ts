import { type Static, Type } from 'typebox';
import type { BountyInput } from '../../bounties/define/bounty-input.ts';
import type { Condition, ObjectiveType, RewardType } from '../../bounties/define/bounty-terms.ts';
import { type BountyState, states } from '../../bounties/read/bounty-state.ts';
import { timestamp } from '../../platform/http/schemas/schemas.ts';
import { closed, inputCurrency, inputGroupId, inputName, inputReference } from '../../platform/inputs.ts';
import { provenanceField } from '../provenance.ts';
import { editedVersion, nullable, time, versionField } from '../schemas.ts';

const oneOf = <Name extends string>(...names: Name[]) => Type.Unsafe<Name>(Type.String({ enum: names }));
const idAndName = Type.Object({ id: Type.String(), name: Type.String() }, { title: 'BountyName' });
const count = Type.String({
  pattern: '^[1-9][0-9]{0,15}$',
  description: 'Number of purchases, players or events. For an Amount, minor units of the currency.',
});
const lockedField = {
  locked: nullable(
    Type.Object(
      { fields: Type.Array(Type.String()), reason: Type.String() },
      { title: 'LockedFields', description: 'Fields that can no longer change, each with the reason.' },
    ),
  ),
};

const objective = {
  id: Type.String(),
  name: Type.String(),
  type: oneOf<ObjectiveType>('Purchase', 'NewPlayers', 'Event'),
  condition: oneOf<Condition>('Count', 'Amount'),
  count,
  currency: nullable(Type.String()),
  eventCode: nullable(Type.String()),
  skus: Type.Array(idAndName),
};
const reward = {
  id: Type.String(),
  name: Type.String(),
  type: oneOf<RewardType>('External', 'Payment', 'Sku'),
  amount: nullable(Type.String({ description: 'Amount of a Payment, in minor units of its currency.' })),
  currency: nullable(Type.String()),
  sku: nullable(idAndName),
  externalId: nullable(Type.String()),
};

const summary = {
  bountyId: Type.String(),
  groupId: Type.String(),
  name: Type.String(),
  state: oneOf<BountyState>(...states),
  startsAt: time('Start of the window.'),
  endsAt: nullable(time('End of the window (exclusive); null if it has no end.')),
  limit: nullable(
    Type.Integer({ description: 'Maximum completions per member; null if there is no limit.' }),
  ),
};

export const bountyRow = Type.Object(
  {
    ...summary,
    objectives: Type.Array(
      Type.Object(
        {
          name: objective.name,
          type: objective.type,
          condition: objective.condition,
          count: objective.count,
          currency: objective.currency,
        },
        { title: 'BountyTarget' },
      ),
    ),
    rewards: Type.Array(
      Type.Object(
        { name: reward.name, type: reward.type, amount: reward.amount, currency: reward.currency },
        { title: 'BountyPrize' },
      ),
    ),
    progress: Type.Object(
      {
        begun: Type.Integer({ minimum: 0, description: 'Number of creators whose progress has begun.' }),
        completed: Type.Integer({
          minimum: 0,
          description: 'Number of creators who have completed the bounty at least once.',
        }),
        isExact: Type.Boolean({ description: 'False if more creators have begun; only 250 are counted.' }),
      },
      { title: 'BountyCounts' },
    ),
    provenance: provenanceField,
  },
  { title: 'BountyRow' },
);

export const bountyDetail = Type.Object(
  {
    ...summary,
    description: nullable(Type.String()),
    imageSrc: nullable(Type.String()),
    rewardDescription: nullable(Type.String()),
    isEnded: Type.Boolean({ description: 'True if the bounty was ended manually. It cannot be reopened.' }),
    objectives: Type.Array(Type.Object({ ...objective, ...lockedField }, { title: 'AdminBountyObjective' })),
    rewards: Type.Array(Type.Object({ ...reward, ...lockedField }, { title: 'AdminBountyReward' })),
    prerequisites: Type.Array(idAndName),
    dependants: Type.Array(idAndName, { description: 'Bounties that have this bounty as a prerequisite.' }),
    ...lockedField,
    begun: Type.Object(
      {
        members: Type.Integer({ description: 'Number of members who have begun the bounty.' }),
        completions: Type.Integer(),
        isWhole: Type.Boolean({
          description: 'False if counting stopped early; the numbers are then lower bounds.',
        }),
      },
      { title: 'BountyBegun' },
    ),
    version: versionField,
    provenance: provenanceField,
  },
  { title: 'BountyDetail' },
);

export type BountyDetail = Static<typeof bountyDetail>;

const ownId = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    description:
      '1 to 64 letters, digits, underscores and hyphens. If absent for a new object, an id is generated.',
  }),
);
const skuInput = Type.Object({ id: inputReference, name: Type.Optional(inputReference) }, closed);

export const bountyBody = Type.Object(
  {
    groupId: inputGroupId,
    version: nullable(editedVersion),
    name: inputName,
    description: nullable(Type.String({ maxLength: 2_000 })),
    imageSrc: nullable(
      Type.String({ format: 'uri', maxLength: 2_000, description: 'An http or https URL.' }),
    ),
    rewardDescription: nullable(Type.String({ maxLength: 2_000 })),
    limit: nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    startsAt: timestamp('Start of the window.'),
    endsAt: nullable(timestamp('End of the window (exclusive).')),
    prerequisites: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 20 }),
    objectives: Type.Array(
      Type.Object(
        {
          id: ownId,
          name: inputName,
          type: objective.type,
          condition: objective.condition,
          count,
          currency: nullable(inputCurrency),
          eventCode: nullable(inputReference),
          skus: Type.Array(skuInput, { maxItems: 1_000 }),
        },
        closed,
      ),
      { minItems: 1, maxItems: 20 },
    ),
    rewards: Type.Array(
      Type.Object(
        {
          id: ownId,
          name: inputName,
          type: reward.type,
          amount: nullable(
            Type.String({ pattern: '^[1-9][0-9]{0,15}$', description: 'Whole minor units of the currency.' }),
          ),
          currency: nullable(inputCurrency),
          sku: nullable(skuInput),
          externalId: nullable(inputReference),
        },
        closed,
      ),
      { minItems: 1, maxItems: 20 },
    ),
  },
  closed,
);

type BountyBody = Static<typeof bountyBody>;

/** Removes null properties, because the operation expects absent properties instead. */
const withoutNulls = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as {
    [Name in keyof Values]?: NonNullable<Values[Name]>;
  };

export function toBountyInput(body: BountyBody): Omit<BountyInput, 'id'> {
  const { name, description, imageSrc, rewardDescription, limit, startsAt, endsAt, prerequisites } = body;
  return {
    name,
    limit,
    startsAt,
    prerequisites,
    ...withoutNulls({ description, imageSrc, rewardDescription, endsAt }),
    objectives: body.objectives.map(({ count, currency, eventCode, ...rest }) => ({
      ...rest,
      ...withoutNulls({ currency, eventCode }),
      count: Number(count),
    })),
    rewards: body.rewards.map(({ amount, currency, sku, externalId, ...rest }) => ({
      ...rest,
      ...withoutNulls({ currency, sku, externalId }),
      ...(amount !== null && { amount: Number(amount) }),
    })),
  };
}
