import type { Examples } from '../platform/http/reference/add-examples.ts';

const inForce = {
  groupId: 'main',
  playerId: 'p-77',
  code: 'ALICE',
  memberId: 'acc_alice',
  attachedAt: '2026-05-02T20:16:00.000Z',
  expiresAt: '2026-06-01T20:16:00.000Z',
};

const referrals = {
  groupId: 'main',
  groupName: 'Aurora Creators',
  playerId: 'p-1',
  currentPage: 1,
  currentPageSize: 100,
  totalCount: 1,
  referrals: [
    {
      id: '5f0c1c52-7d4e-4c0e-8b0f-2f6f6b1f8a11',
      code: 'ALICE',
      referralDate: '2026-05-03T09:00:00.000Z',
    },
  ],
};
const codes = [
  { code: 'ALICE', isPrimary: true, isGenerated: false, isManaged: false },
  { code: 'AL-1', isPrimary: false, isGenerated: true, isManaged: true },
];

export const playerCodeExamples: Examples = {
  attachPlayerCode: [
    {
      summary: 'Entered earlier',
      parameters: { playerId: 'p-77' },
      body: { code: 'alice', at: '2026-05-02T20:16:00Z' },
      answer: inForce,
    },
    {
      summary: 'Entered now',
      parameters: { playerId: 'p-78' },
      body: { code: 'alice' },
      answer: {
        ...inForce,
        playerId: 'p-78',
        attachedAt: '2026-05-03T09:00:00.000Z',
        expiresAt: '2026-06-02T09:00:00.000Z',
      },
    },
  ],
  getPlayerCode: [{ parameters: { playerId: 'p-77', at: '2026-05-20T10:00:00Z' }, answer: inForce }],
  getPlayerReferrals: [
    {
      summary: 'A creator',
      parameters: { playerId: 'p-1' },
      answer: { ...referrals, memberId: 'acc_alice', codes },
    },
    {
      summary: 'Another player',
      parameters: { playerId: 'p-77' },
      status: 400,
      answer: { code: 'PlayerNotInGroup', message: 'No member of the creator group has this playerId.' },
    },
  ],
  getCodeReferrals: [{ parameters: { code: 'alice' }, answer: { ...referrals, referralCodes: codes } }],
  getReferralCode: [{ parameters: { playerId: 'p-1' }, answer: 'ALICE' }],
  endPlayerCode: [{ parameters: { playerId: 'p-77' }, answer: { groupId: 'main', playerId: 'p-77' } }],
};
