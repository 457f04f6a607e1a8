import type { Examples } from '../platform/http/reference/add-examples.ts';

const group = { groupId: 'main', groupName: 'Aurora Creators' };
const page = { ...group, currentPage: 1, currentPageSize: 10, totalCount: 1 };

const sale = { id: 'sale', name: 'Sell', condition: 'Count', count: 1 };
const win = { id: 'win', name: 'A match won', condition: 'Count', count: 1 };
const checked = { lastProgressCheck: '2026-05-02T20:15:02.000Z' };
const bounty = {
  id: 'first-win',
  name: 'First sale and a win',
  description: 'Make a sale and have a player win a match.',
  limit: 1,
  startsAt: '2026-01-01T00:00:00.000Z',
  ...checked,
  objectives: [
    { ...sale, type: 'Purchase', skus: [] },
    { ...win, type: 'Event', eventCode: 'match_won', skus: [] },
  ],
  rewards: [{ id: 'figure', name: 'A figure', type: 'External', externalId: 'figure-1' }],
  prerequisites: [],
  dependants: [],
};

const reward = {
  id: '01a1fdbb-2b66-7d13-9e4f-2a3b4c5d6e7f',
  name: 'A figure',
  externalId: 'figure-1',
  rewardCompleted: false,
};
const aliceProgressId = '01a1fdba-7a55-7b02-8c3d-1f2e3d4c5b6a';
const aliceObjectives = [
  { id: `${aliceProgressId}.sale`, completed: true, count: 1, objective: sale },
  { id: `${aliceProgressId}.win`, completed: true, count: 1, objective: win },
];
const aliceProgress = {
  id: aliceProgressId,
  completed: true,
  completionCount: 1,
  ...checked,
  currentObjectives: aliceObjectives,
  currentObjectiveGroupId: `${aliceProgressId}.2`,
  completedObjectives: [
    {
      objectiveGroupId: `${aliceProgressId}.1`,
      objectives: aliceObjectives,
      rewards: [{ ...reward, type: 'External' }],
    },
  ],
  member: {
    id: 'acc_alice',
    playerId: 'p-1',
    name: 'Alice',
    codes: [
      { code: 'ALICE', isPrimary: true, isGenerated: false, isManaged: false },
      { code: 'AL-1', isPrimary: false, isGenerated: true, isManaged: true },
    ],
  },
};
const bobProgressId = '01a1fdbc-3c77-7e24-8f5a-3b4c5d6e7f80';
const bobProgress = {
  id: bobProgressId,
  completed: false,
  completionCount: 0,
  ...checked,
  currentObjectives: [
    { id: `${bobProgressId}.sale`, completed: true, count: 1, objective: sale },
    { id: `${bobProgressId}.win`, completed: false, count: 0, objective: win },
  ],
  currentObjectiveGroupId: `${bobProgressId}.1`,
  completedObjectives: [],
  member: {
    id: 'acc_bob',
    playerId: 'p-2',
    name: 'Bob',
    codes: [{ code: 'BOB', isPrimary: true, isGenerated: false, isManaged: false }],
  },
};

export const bountyExamples: Examples = {
  listBounties: [{ parameters: { page: 1, pageSize: 10 }, answer: { ...page, bounties: [bounty] } }],
  getBounty: [
    {
      parameters: { bountyId: 'first-win', includeProgress: true },
      answer: {
        ...group,
        bounty,
        progress: {
          currentPage: 1,
          currentPageSize: 10,
          totalCount: 2,
          data: [aliceProgress, bobProgress],
        },
      },
    },
  ],
  getMemberProgress: [
    {
      parameters: { memberId: 'acc_alice' },
      answer: {
        ...page,
        memberId: 'acc_alice',
        playerId: 'p-1',
        progress: [{ ...aliceProgress, name: bounty.name, limit: 1 }],
      },
    },
  ],
  completeReward: [
    {
      summary: 'A delivered External reward',
      parameters: { rewardId: reward.id },
      body: { referenceId: 'shipment-12' },
      answer: { ...reward, rewardCompleted: true, rewardReferenceId: 'shipment-12' },
    },
    {
      summary: 'An unknown reward',
      parameters: { rewardId: 'none' },
      body: {},
      status: 404,
      answer: { code: 'BountyNotFound', message: 'Bounty Reward not found' },
    },
  ],
  recordEvent: [
    {
      summary: 'An event credited to a code',
      body: {
        eventId: 'match-5501',
        eventCode: 'match_won',
        code: 'ALICE',
        playerId: 'player-7',
        occurredAt: '2026-05-02T20:15:00Z',
      },
      answer: {
        eventId: 'match-5501',
        eventCode: 'match_won',
        memberId: 'acc_alice',
        playerId: 'player-7',
        occurredAt: '2026-05-02T20:15:00.000Z',
      },
    },
    {
      summary: 'An unknown event code',
      body: { eventId: 'match-5502', eventCode: 'match_lost', memberId: 'acc_alice', playerId: 'player-7' },
      status: 400,
      answer: {
        code: 'InvalidEventCode',
        message: 'No bounty objective of the creator group has this eventCode.',
      },
    },
  ],
};
