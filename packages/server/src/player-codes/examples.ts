import type { Examples } from '../platform/http/reference/add-examples.ts';

const inForce = {
  groupId: 'main',
  playerId: 'p-77',
  code: 'ALICE',
  memberId: 'acc_alice',
  attachedAt: '2026-05-02T20:16:00.000Z',
  expiresAt: '2026-06-01T20:16:00.000Z',
};

export const playerCodeExamples: Examples = {
  attachPlayerCode: [
    {
      parameters: { playerId: 'p-77' },
      body: { code: 'alice', at: '2026-05-02T20:16:00Z' },
      answer: inForce,
    },
  ],
  getPlayerCode: [{ parameters: { playerId: 'p-77', at: '2026-05-20T10:00:00Z' }, answer: inForce }],
  endPlayerCode: [{ parameters: { playerId: 'p-77' }, answer: { groupId: 'main', playerId: 'p-77' } }],
};
