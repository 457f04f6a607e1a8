import { Type } from 'typebox';
import type { DescribedEvent } from '../webhooks/describe-webhook.ts';
import { named } from './read/bounty-record.ts';

const reward = Type.Object(
  {
    id: Type.String({ description: 'The rewardId that completes it.' }),
    name: Type.String(),
    amount: Type.Optional(Type.Integer({ description: 'Of a Payment, smallest units of its currency.' })),
    externalId: Type.Optional(Type.String({ description: "The publisher's own catalog id." })),
    creatorRewardId: Type.String({ description: "The reward's id in its bounty." }),
    userId: Type.String({ description: "The member's playerId, or else the account id." }),
    sku: Type.Optional(named),
  },
  { title: 'GivenReward', description: 'A reward to hand out.' },
);

export const bountyEvents: readonly DescribedEvent[] = [
  {
    kind: 'Bounty/BountyReward',
    description: 'A member has completed a bounty. External rewards wait to be handed out.',
    event: Type.Object(
      {
        attributionGroupId: Type.String(),
        attributionGroupName: Type.String(),
        creatorId: Type.String({ description: "The member's account id." }),
        bountyId: Type.String(),
        bountyName: Type.String(),
        bountyProgressId: Type.String(),
        bountyRewards: Type.Array(reward),
      },
      { title: 'BountyRewardEvent', description: 'What whom is to be given for which bounty.' },
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
