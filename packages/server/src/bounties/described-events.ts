import { Type } from 'typebox';
import type { DescribedEvent } from '../webhooks/describe-webhook.ts';
import { named } from './read/bounty-record.ts';

const reward = Type.Object(
  {
    id: Type.String({ description: 'Id of the reward, to use as `rewardId` when you complete the reward.' }),
    name: Type.String(),
    amount: Type.Optional(Type.Integer({ description: 'Amount of a Payment reward, in minor units.' })),
    externalId: Type.Optional(Type.String({ description: 'Your catalog id for the reward.' })),
    creatorRewardId: Type.String({ description: "Id of the reward in the bounty's definition." }),
    userId: Type.String({
      description: "The member's `playerId`, or the account id if the member has no `playerId`.",
    }),
    sku: Type.Optional(named),
  },
  { title: 'GivenReward', description: 'A reward given for a completed bounty.' },
);

export const bountyEvents: readonly DescribedEvent[] = [
  {
    kind: 'Bounty/BountyReward',
    description:
      'Occurs whenever a member completes a bounty. Deliver the External rewards, then complete them.',
    event: Type.Object(
      {
        attributionGroupId: Type.String(),
        attributionGroupName: Type.String(),
        creatorId: Type.String({ description: 'Account id of the member.' }),
        bountyId: Type.String(),
        bountyName: Type.String(),
        bountyProgressId: Type.String(),
        bountyRewards: Type.Array(reward),
      },
      { title: 'BountyRewardEvent', description: 'A completed bounty with the rewards for the member.' },
    ),
    example: {
      attributionGroupId: 'main',
      attributionGroupName: 'Aurora Creators',
      creatorId: 'acc_alice',
      bountyId: 'first-win',
      bountyName: 'First sale and a win',
      bountyProgressId: '01a1fdba-7a55-7b02-8c3d-1f2e3d4c5b6a',
      bountyRewards: [
        {
          id: '01a1fdbb-2b66-7d13-9e4f-2a3b4c5d6e7f',
          name: 'A figure',
          externalId: 'figure-1',
          creatorRewardId: 'figure',
          userId: 'p-1',
        },
      ],
    },
  },
];
