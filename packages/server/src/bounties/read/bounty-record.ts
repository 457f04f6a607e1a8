import { type Static, Type } from 'typebox';
import { codeObject } from '../../members/member-record.ts';

const closed = { additionalProperties: false } as const;
const time = Type.String({ format: 'date-time' });
const named = Type.Object({ id: Type.String(), name: Type.String() }, closed);
const condition = Type.String({ enum: ['Count', 'Amount'] });
const rewardType = Type.String({ enum: ['External', 'Payment', 'Sku'] });
const count = Type.Integer({
  description: 'Purchases, players or events; of an Amount, smallest units of the currency.',
});

const objective = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: Type.String({ enum: ['Purchase', 'NewPlayers', 'Event'] }),
    condition,
    count,
    currency: Type.Optional(Type.String()),
    eventCode: Type.Optional(Type.String()),
    skus: Type.Array(named, { description: 'Only purchases of these count; all when empty.' }),
  },
  closed,
);

const reward = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: rewardType,
    sku: Type.Optional(named),
    amount: Type.Optional(Type.Integer({ description: 'Of a Payment, smallest units of the currency.' })),
    currency: Type.Optional(Type.String()),
    externalId: Type.Optional(Type.String()),
  },
  closed,
);

const bountyFields = {
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  imageSrc: Type.Optional(Type.String()),
  rewardDescription: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ description: 'Completions of one member; absent: no limit.' })),
  startsAt: time,
  endsAt: Type.Optional(time),
  lastProgressCheck: Type.Optional(time),
  objectives: Type.Array(objective),
  rewards: Type.Array(reward),
  prerequisites: Type.Array(named),
  dependants: Type.Array(named),
};

export const bountyRecord = Type.Object(bountyFields, closed);

/** The completion record of operation 14, field by field. */
export const completionFields = {
  id: Type.String(),
  name: Type.String(),
  externalId: Type.Optional(Type.String({ description: "The publisher's own catalog id." })),
  rewardCompleted: Type.Boolean(),
  rewardReferenceId: Type.Optional(Type.String()),
};

const objectiveProgress = Type.Object(
  {
    id: Type.String(),
    completed: Type.Boolean(),
    count,
    objective: Type.Object({ id: Type.String(), name: Type.String(), count, condition }, closed),
  },
  closed,
);

const progressFields = {
  id: Type.String(),
  completed: Type.Boolean({ description: 'As often as the limit allows; never when there is none.' }),
  completionCount: Type.Integer(),
  lastProgressCheck: Type.Optional(time),
  currentObjectives: Type.Array(objectiveProgress),
  currentObjectiveGroupId: Type.String({
    description: 'The objectiveGroupId that these will have once they are completed.',
  }),
  completedObjectives: Type.Array(
    Type.Object(
      {
        objectiveGroupId: Type.String(),
        objectives: Type.Array(objectiveProgress),
        rewards: Type.Array(Type.Object({ ...completionFields, type: rewardType }, closed)),
      },
      closed,
    ),
    { description: 'One entry a completion, the latest 100, in their order.' },
  ),
  member: Type.Object(
    {
      id: Type.String(),
      playerId: Type.Optional(Type.String()),
      name: Type.String(),
      codes: Type.Array(codeObject),
    },
    closed,
  ),
};

/** A member's progress with one bounty, as the page of that bounty shows it. */
export const progressRecord = Type.Object(progressFields, closed);

/** The same as the page of a member shows it: with what names the bounty. */
export const namedProgressRecord = Type.Object(
  { ...progressFields, name: bountyFields.name, limit: bountyFields.limit },
  closed,
);

export type BountyRecord = Static<typeof bountyRecord>;
export type ProgressRecord = Static<typeof progressRecord>;
export type NamedProgressRecord = Static<typeof namedProgressRecord>;
