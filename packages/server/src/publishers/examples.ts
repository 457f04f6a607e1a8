import type { Examples } from '../platform/http/reference/add-examples.ts';

export const groupExamples: Examples = {
  listGroups: [
    {
      answer: {
        groups: [
          { name: 'Aurora Creators', id: 'main', isDefault: true },
          { name: 'Aurora MOBA Creators', id: 'moba', isDefault: false },
        ],
      },
    },
  ],
};
