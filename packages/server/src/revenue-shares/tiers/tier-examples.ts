import type { Examples } from '../../platform/http/reference/add-examples.ts';

export const tierExamples: Examples = {
  listTiers: [
    {
      parameters: { page: 1, pageSize: 10 },
      answer: {
        groupId: 'main',
        groupName: 'Aurora Creators',
        currentPage: 1,
        currentPageSize: 10,
        totalCount: 1,
        groupTiers: [
          { id: '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90', name: 'Gold', revShare: 20, memberCount: 1 },
        ],
      },
    },
  ],
  getTier: [
    {
      parameters: { tierId: '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90', page: 1, pageSize: 10 },
      answer: {
        groupId: 'main',
        groupName: 'Aurora Creators',
        id: '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90',
        name: 'Gold',
        revShare: 0.2,
        currentPage: 1,
        currentPageSize: 10,
        totalCount: 1,
        members: [
          {
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
          },
        ],
      },
    },
  ],
};
