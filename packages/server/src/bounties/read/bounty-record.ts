import { type Static, Type } from 'typebox';
import { codeObject } from '../../members/read/member-record.ts';
import { errorBody } from '../../platform/http/schemas/schemas.ts';

export const bountyTags = ['Bounties'];
export const groupNotFound = errorBody('InvalidGroup: no creator group has this groupId.');

const model = (title: string, description: string) => ({ title, description });
const time = Type.String({ format: 'date-time' });
export const named = Type.Object(
  { id: Type.String(), name: Type.String() },
  model('IdAndName', 'An id and the corresponding name.'),
);
const condition = Type.String({ enum: ['Count', 'Amount'] });
const rewardType = Type.String({ enum: ['External', 'Payment', 'Sku'] });
const count = Type.Integer({
  description:
    'Number of purchases, players, or events; for an Amount, the amount in minor units of the currency.',
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
    skus: Type.Array(named, {
      description: 'Only purchases of these SKUs count. An empty list means all SKUs.',
    }),
  },
  model('BountyObjective', 'A condition that a member has to meet.'),
);

const reward = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: rewardType,
    sku: Type.Optional(named),
    amount: Type.Optional(
      Type.Integer({ description: 'Amount of a Payment reward, in minor units of `currency`.' }),
    ),
    currency: Type.Optional(Type.String()),
    externalId: Type.Optional(Type.String()),
  },
  model('BountyReward', 'A reward for completing the bounty.'),
);

const bountyFields = {
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  imageSrc: Type.Optional(Type.String()),
  rewardDescription: Type.Optional(Type.String()),
  limit: Type.Optional(
    Type.Integer({ description: 'Maximum number of completions per member. Absent if there is no limit.' }),
  ),
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
  model('Bounty', 'Objectives for the members of a group, and the rewards for reaching them.'),
);

/** Fields in the completion record of operation 14. */
export const completionFields = {
  id: Type.String(),
  name: Type.String(),
  externalId: Type.Optional(Type.String({ description: 'Your catalog id for the reward.' })),
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
  model('ObjectiveProgress', "A member's progress toward an objective."),
);

const progressFields = {
  id: Type.String(),
  completed: Type.Boolean({
    description: 'True if the completion limit has been reached. Always `false` if there is no limit.',
  }),
  completionCount: Type.Integer(),
  lastProgressCheck: Type.Optional(time),
  currentObjectives: Type.Array(objectiveProgress),
  currentObjectiveGroupId: Type.String({
    description: 'The `objectiveGroupId` that the current objectives will have once they are completed.',
  }),
  completedObjectives: Type.Array(
    Type.Object(
      {
        objectiveGroupId: Type.String(),
        objectives: Type.Array(objectiveProgress),
        rewards: Type.Array(
          Type.Object(
            { ...completionFields, type: rewardType },
            model('ProgressReward', 'A reward that a member received.'),
          ),
        ),
      },
      model('BountyCompletion', 'One completion of a bounty.'),
    ),
    { description: 'The latest 100 completions, oldest first.' },
  ),
  member: Type.Object(
    {
      id: Type.String(),
      playerId: Type.Optional(Type.String()),
      name: Type.String(),
      codes: Type.Array(codeObject),
    },
    model('ProgressMember', 'The member to whom the progress belongs.'),
  ),
};

export const progressRecord = Type.Object(
  progressFields,
  model('BountyProgress', "A member's progress toward a bounty."),
);

export const namedProgressRecord = Type.Object(
  { ...progressFields, name: bountyFields.name, limit: bountyFields.limit },
  model('NamedBountyProgress', "A member's progress toward a bounty, with the bounty's name and limit."),
);

export type BountyRecord = Static<typeof bountyRecord>;
export type ProgressRecord = Static<typeof progressRecord>;
export type NamedProgressRecord = Static<typeof namedProgressRecord>;
