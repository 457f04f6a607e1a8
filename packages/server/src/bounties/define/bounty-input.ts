import { type Static, Type } from 'typebox';
import { text, timestamp } from '../../platform/http/schemas/schemas.ts';
import { closed, inputCurrency, inputName, inputReference } from '../../platform/inputs.ts';
import type { Condition, ObjectiveType, RewardType } from './bounty-terms.ts';

const oneOf = <Name extends string>(...names: Name[]) => Type.Unsafe<Name>(Type.String({ enum: names }));
const ids = '^[A-Za-z0-9_-]{1,64}$';
/** An id that the service makes up when none is given. */
const ownId = (otherwise: string) =>
  Type.Optional(
    Type.String({
      pattern: ids,
      description: `1 to 64 letters, digits, _ and -, no two alike at a publisher; made up when absent, and then ${otherwise} tells which it is`,
    }),
  );
const sku = Type.Object(
  { id: inputReference, name: Type.Optional(inputReference) },
  { ...closed, description: 'The name is the id when absent.' },
);

const objective = Type.Object(
  {
    id: ownId('its place in the list'),
    name: inputName,
    type: oneOf<ObjectiveType>('Purchase', 'NewPlayers', 'Event'),
    condition: Type.Optional(
      Type.Unsafe<Condition>(
        Type.String({
          enum: ['Count', 'Amount'],
          description: 'Count when absent; Amount for purchases only, with a currency.',
        }),
      ),
    ),
    count: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Purchases, players or events; of an Amount, smallest units of the currency.',
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
    id: ownId('its place in the list'),
    name: inputName,
    type: oneOf<RewardType>('External', 'Payment', 'Sku'),
    amount: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Of a Payment, smallest units of its currency.',
      }),
    ),
    currency: Type.Optional(inputCurrency),
    sku: Type.Optional(sku),
    externalId: Type.Optional(inputReference),
  },
  closed,
);

/** All that a bounty says. The bounds keep a check of one member's progress small. */
export const bountyInput = Type.Object(
  {
    id: ownId('the name in its group'),
    name: inputName,
    description: Type.Optional(text(2_000)),
    imageSrc: Type.Optional(
      Type.String({ format: 'uri', maxLength: 2_000, description: 'an http or https address' }),
    ),
    rewardDescription: Type.Optional(text(2_000)),
    limit: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000 }), Type.Null()], {
        description:
          'how often one member can complete it, 1 to 1000000; 1 when absent, null for as often as it likes',
      }),
    ),
    startsAt: timestamp('First moment of the window.'),
    endsAt: Type.Optional(timestamp('The window ends before this moment; absent: it has no end.')),
    prerequisites: Type.Optional(
      Type.Array(Type.String({ pattern: ids, description: '1 to 64 letters, digits, _ and -' }), {
        maxItems: 20,
        description: 'Bounties of the group that a member must have completed before.',
      }),
    ),
    objectives: Type.Array(objective, { minItems: 1, maxItems: 20 }),
    rewards: Type.Array(reward, { minItems: 1, maxItems: 20 }),
  },
  { ...closed, description: 'It replaces all that the bounty said before.' },
);

export type BountyInput = Static<typeof bountyInput>;
export type ObjectiveInput = BountyInput['objectives'][number];
export type RewardInput = BountyInput['rewards'][number];
