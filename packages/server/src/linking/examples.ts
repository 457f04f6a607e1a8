import type { Examples } from '../platform/http/reference/add-examples.ts';

export const linkingExamples: Examples = {
  getAuthCode: [
    {
      parameters: { playerId: 'p-2' },
      answer: { authCode: 'K7QM-2R9X', expiresAt: '2026-05-02T20:46:00.000Z' },
    },
  ],
  linkMember: [
    {
      summary: 'A new code',
      body: { playerId: 'p-2', authCode: 'K7QM-2R9X' },
      answer: {
        groupId: 'main',
        groupName: 'Aurora Creators',
        id: 'acc_bob',
        playerId: 'p-2',
        codes: [{ code: 'BOB', isPrimary: true, isGenerated: false, isManaged: false }],
      },
    },
    {
      summary: 'The same code again',
      body: { playerId: 'p-2', authCode: 'K7QM-2R9X' },
      status: 400,
      answer: {
        code: 'InvalidAuthCode',
        message:
          "The auth code does not exist, or its account isn't a member of the group and can't claim one.",
      },
    },
  ],
};
