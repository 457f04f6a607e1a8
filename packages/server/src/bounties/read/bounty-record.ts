import { type Static, Type } from 'typebox';
import { codeObject } from '../../members/read/member-record.ts';
import { errorBody } from '../../platform/http/schemas/schemas.ts';

export const bountyTags = ['Bounties'];
export const groupNotFound = errorBody('InvalidGroup: no group of the publisher has this groupId.');

const model = (title: string, description: string) => ({ title, description });
const time = Type.String({ format: 'date-time' });
export const named = Type.Object(
  { id: Type.String(), name: Type.String() },
  model('IdAndName', 'Something, by its id and its name.'),
);
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
  model('BountyObjective', 'What a member must bring about.'),
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
  model('BountyReward', 'What a member is given for it.'),
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

export const bountyRecord = Type.Object(
  bountyFields,
  model('Bounty', 'Objectives for members of a group, and their rewards.'),
);

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
    objective: Type.Object({ id: Type.String(), name: Type.String(), count, condition }),
  },
  model('ObjectiveProgress', 'How far a member is with an objective.'),
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
        rewards: Type.Array(
          Type.Object(
            { ...completionFields, type: rewardType },
            model('ProgressReward', 'A reward that a member was given.'),
          ),
        ),
      },
      model('BountyCompletion', 'One completion of a bounty.'),
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
    model('ProgressMember', 'Whose progress it is.'),
  ),
};

/** A member's progress with one bounty, as the page of that bounty shows it. */
export const progressRecord = Type.Object(
  progressFields,
  model('BountyProgress', 'How far a member is with a bounty.'),
);

/** The same as the page of a member shows it: with what names the bounty. */
export const namedProgressRecord = Type.Object(
  { ...progressFields, name: bountyFields.name, limit: bountyFields.limit },
  model('NamedBountyProgress', 'How far a member is with a bounty, by its name.'),
);

export type BountyRecord = Static<typeof bountyRecord>;
export type ProgressRecord = Static<typeof progressRecord>;
export type NamedProgressRecord = Static<typeof namedProgressRecord>;
