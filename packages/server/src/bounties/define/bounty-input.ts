import { type Static, Type } from 'typebox';
import { text, timestamp } from '../../platform/http/schemas/schemas.ts';
import { closed, inputCurrency, inputName, inputReference } from '../../platform/inputs.ts';
import type { Condition, ObjectiveType, RewardType } from './bounty-terms.ts';

const oneOf = <Name extends string>(...names: Name[]) => Type.Unsafe<Name>(Type.String({ enum: names }));
const ids = '^[A-Za-z0-9_-]{1,64}$';
/** Returns the schema for an id that is generated if absent. */
const ownId = (otherwise: string) =>
  Type.Optional(
    Type.String({
      pattern: ids,
      description: `1 to 64 letters, digits, _ and -, unique per publisher. If absent, an id is generated, and ${otherwise} identifies the object in later updates.`,
    }),
  );
const sku = Type.Object(
  { id: inputReference, name: Type.Optional(inputReference) },
  { ...closed, description: 'A SKU. The name defaults to the id.' },
);

const objective = Type.Object(
  {
    id: ownId('its position in the list'),
    name: inputName,
    type: oneOf<ObjectiveType>('Purchase', 'NewPlayers', 'Event'),
    condition: Type.Optional(
      Type.Unsafe<Condition>(
        Type.String({
          enum: ['Count', 'Amount'],
          description: 'Defaults to Count. Amount is only for purchases and requires a currency.',
        }),
      ),
    ),
    count: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Number of purchases, players, or events; for an Amount, the amount in minor units of the currency.',
    }),
    currency: Type.Optional(inputCurrency),
    skus: Type.Optional(
      Type.Array(sku, { maxItems: 1_000, description: 'Only purchases of these SKUs count.' }),
    ),
    eventCode: Type.Optional(inputReference),
  },
  closed,
);

const reward = Type.Object(
  {
    id: ownId('its position in the list'),
    name: inputName,
    type: oneOf<RewardType>('External', 'Payment', 'Sku'),
    amount: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Amount of a Payment reward, in minor units of its currency.',
      }),
    ),
    currency: Type.Optional(inputCurrency),
    sku: Type.Optional(sku),
    externalId: Type.Optional(inputReference),
  },
  closed,
);

/** Definition of a bounty. The limits bound the cost of checking a member's progress. */
export const bountyInput = Type.Object(
  {
    id: ownId('the name within the group'),
    name: inputName,
    description: Type.Optional(text(2_000)),
    imageSrc: Type.Optional(
      Type.String({ format: 'uri', maxLength: 2_000, description: 'An http or https URL of an image.' }),
    ),
    rewardDescription: Type.Optional(text(2_000)),
    limit: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000 }), Type.Null()], {
        description:
          'Number of times a member can complete the bounty: 1 to 1000000, or null for no limit. Defaults to 1.',
      }),
    ),
    startsAt: timestamp('Start of the window.'),
    endsAt: Type.Optional(timestamp('End of the window (exclusive). Defaults to no end.')),
    prerequisites: Type.Optional(
      Type.Array(Type.String({ pattern: ids, description: '1 to 64 letters, digits, _ and -' }), {
        maxItems: 20,
        description: 'Ids of bounties in the group that a member must complete first.',
      }),
    ),
    objectives: Type.Array(objective, { minItems: 1, maxItems: 20 }),
    rewards: Type.Array(reward, { minItems: 1, maxItems: 20 }),
  },
  { ...closed, description: 'Replaces the whole definition of the bounty.' },
);

export type BountyInput = Static<typeof bountyInput>;
export type ObjectiveInput = BountyInput['objectives'][number];
export type RewardInput = BountyInput['rewards'][number];
