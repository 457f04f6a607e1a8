import type { Examples } from '../platform/http/reference/add-examples.ts';

const alice = {
  groupId: 'main',
  groupName: 'Aurora Creators',
  id: 'acc_alice',
  name: 'Alice',
  playerId: 'p-1',
  playerMetadata: { displayName: 'Al' },
  codes: [
    { code: 'ALICE', isPrimary: true, isGenerated: false, isManaged: false },
    { code: 'AL-1', isPrimary: false, isGenerated: true, isManaged: true },
  ],
  groupDefaultRevShare: 10,
  codeTTLInDays: 30,
};

export const memberExamples: Examples = {
  listMembers: [
    {
      parameters: { page: 1, pageSize: 1 },
      answer: {
        groupId: 'main',
        groupName: 'Aurora Creators',
        groupDefaultRevShare: 10,
        codeTTLInDays: 30,
        currentPage: 1,
        currentPageSize: 1,
        totalCount: 2,
        members: [alice],
      },
    },
  ],
  getMemberByCode: [
    { summary: 'A code in any letter case', parameters: { code: 'alice' }, answer: alice },
    {
      summary: 'An unknown code',
      parameters: { code: 'UNKNOWN' },
      status: 400,
      answer: {
        code: 'CodeNotInGroup',
        message: "The code or account isn't an approved member of the creator group.",
      },
    },
  ],
  getMemberById: [{ parameters: { memberId: 'acc_alice' }, answer: alice }],
  getMemberByPlayer: [
    { summary: 'A player who is a member', parameters: { playerId: 'p-1' }, answer: alice },
    {
      summary: 'Another player',
      parameters: { playerId: 'p-77' },
      status: 400,
      answer: { code: 'PlayerNotInGroup', message: 'No member of the creator group has this playerId.' },
    },
  ],
  generateMember: [
    {
      body: { playerId: 'player-9', playerMetadata: { displayName: 'Nia' } },
      answer: {
        groupId: 'main',
        groupName: 'Aurora Creators',
        playerId: 'player-9',
        playerMetadata: { displayName: 'Nia' },
        code: '7K2M9QXA',
      },
    },
  ],
};
