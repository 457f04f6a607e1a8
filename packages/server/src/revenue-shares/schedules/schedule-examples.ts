import type { Examples } from '../../platform/http/reference/add-examples.ts';

export const scheduleExamples: Examples = {
  createScheduledRevShare: [
    {
      summary: 'A share for all members and for a tier',
      body: {
        revShare: 15,
        startDate: '2030-12-01T00:00:00Z',
        endDate: '2030-12-08T00:00:00Z',
        tierRevenueShares: [{ revShare: 25, tierId: '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90' }],
      },
      answer: {
        id: 'kQ3vT8wXy_1nB5dLr-0aM',
        revShare: 15,
        startDate: '2030-12-01T00:00:00.000Z',
        endDate: '2030-12-08T00:00:00.000Z',
        groupId: 'main',
        groupName: 'Aurora Creators',
        tierRevenueShares: [
          { revShare: 25, tierId: '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90', tierName: 'Gold' },
        ],
      },
    },
    {
      summary: 'An overlapping window',
      body: { revShare: 20, startDate: '2030-12-05T00:00:00Z', endDate: '2030-12-12T00:00:00Z' },
      status: 409,
      answer: {
        code: 'Conflict',
        message: 'The window overlaps another scheduled revenue share of the group. Nothing was changed.',
      },
    },
    {
      summary: 'An unknown tier',
      body: {
        startDate: '2031-12-05T00:00:00Z',
        endDate: '2031-12-12T00:00:00Z',
        tierRevenueShares: [{ revShare: 25, tierId: 'Gold' }],
      },
      status: 400,
      answer: {
        errors: [{ message: 'tierRevenueShares[0].tierId is not a tier of the group, or is listed twice' }],
      },
    },
    {
      summary: 'A window that ends before it starts',
      body: { revShare: 20, startDate: '2030-12-12T00:00:00Z', endDate: '2030-12-05T00:00:00Z' },
      status: 400,
      answer: 'endDate must be after startDate',
    },
  ],
  listScheduledRevShares: [
    {
      parameters: { page: 1, pageSize: 10 },
      answer: {
        groupId: 'main',
        groupName: 'Aurora Creators',
        currentPage: 1,
        currentPageSize: 10,
        totalCount: 1,
        scheduledRevShares: [
          {
            id: 'kQ3vT8wXy_1nB5dLr-0aM',
            revShare: 15,
            startDate: '2030-12-01T00:00:00.000Z',
            endDate: '2030-12-08T00:00:00.000Z',
            groupId: 'main',
            groupName: 'Aurora Creators',
            tierRevenueShares: [
              { revShare: 25, tierId: '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90', tierName: 'Gold' },
            ],
            status: 'Upcoming',
          },
        ],
      },
    },
  ],
  replaceScheduledRevShare: [
    {
      parameters: { scheduledRevShareId: 'kQ3vT8wXy_1nB5dLr-0aM' },
      body: { revShare: 12.5, startDate: '2030-12-01T00:00:00Z', endDate: '2030-12-15T00:00:00Z' },
      answer: {
        id: 'kQ3vT8wXy_1nB5dLr-0aM',
        revShare: 12.5,
        startDate: '2030-12-01T00:00:00.000Z',
        endDate: '2030-12-15T00:00:00.000Z',
        groupId: 'main',
        groupName: 'Aurora Creators',
        tierRevenueShares: [],
      },
    },
  ],
  deleteScheduledRevShare: [
    {
      parameters: { scheduledRevShareId: 'kQ3vT8wXy_1nB5dLr-0aM' },
      answer: {
        id: 'kQ3vT8wXy_1nB5dLr-0aM',
        revShare: 12.5,
        startDate: '2030-12-01T00:00:00.000Z',
        endDate: '2030-12-15T00:00:00.000Z',
        groupId: 'main',
        groupName: 'Aurora Creators',
        tierRevenueShares: [],
      },
    },
  ],
};
