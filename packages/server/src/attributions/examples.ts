import type { Examples } from '../platform/http/reference/add-examples.ts';

const order = {
  transactionId: 'order-100',
  code: 'ALICE',
  description: 'Battle pass',
  subtotal: 999,
  currency: 'USD',
  transactionDate: '2026-05-01T12:00:00Z',
};
const half = { ...order, transactionId: 'order-101', description: 'Skin, half' };

const stored = { origin: 'api', status: 'Normal', memberPaid: false, totalCurrency: 'USD' };
const recorded = {
  ...order,
  ...stored,
  id: '01a1fdb8-cbcc-76c3-b6f4-5c901270ec4a',
  memberPlayerId: 'p-1',
  total: 999,
  transactionDate: '2026-05-01T12:00:00.000Z',
  platform: 'PC',
  playerId: 'player-7',
  skuId: 'season-1',
  metrics: {
    joinDate: '2026-01-15T08:00:00.000Z',
    conversion: { lastPurchase: { date: '2026-04-01T18:30:00.000Z', platform: 'PC' } },
  },
};
const aliceHalf = {
  ...half,
  ...stored,
  id: '01a1fdb9-0f3e-7c41-9a1d-6e2f0b7c9d10',
  memberPlayerId: 'p-1',
  subtotal: 500,
  total: 500,
  transactionDate: '2026-05-01T12:00:00.000Z',
};
const bobHalf = {
  ...aliceHalf,
  id: '01a1fdb9-0f3e-7c41-9a1d-7f30a1b2c3d4',
  code: 'BOB',
  memberPlayerId: 'p-2',
  subtotal: 499,
  total: 499,
};
/** Shares after posting: Alice's tier has a share of 20 percent, and Bob gets the group's 10 percent. */
const aliceEarned = { memberShareAmount: 100, memberSharePercent: 20 };
const bobEarned = { memberShareAmount: 50, memberSharePercent: 10 };

export const transactionExamples: Examples = {
  createTransactions: [
    {
      summary: 'A purchase',
      body: {
        ...order,
        platform: 'PC',
        playerId: 'player-7',
        skuId: 'season-1',
        metrics: {
          joinDate: '2026-01-15T08:00:00Z',
          conversion: { lastPurchase: { date: '2026-04-01T18:30:00Z', platform: 'PC' } },
        },
      },
      answer: { transaction: recorded },
    },
    {
      summary: 'A purchase split between two members',
      body: [
        { ...half, subtotal: 500 },
        { ...half, code: 'BOB', subtotal: 499 },
      ],
      answer: [{ transaction: aliceHalf }, { transaction: bobHalf }],
    },
    {
      summary: 'An unknown code',
      body: { ...order, transactionId: 'order-102', code: 'UNKNOWN' },
      status: 400,
      answer: { message: 'code is not the code of an approved member of the creator group.' },
    },
    {
      summary: 'A transactionId that already exists',
      body: order,
      status: 409,
      answer: 'Conflict',
    },
    {
      summary: 'A retry with the same content',
      parameters: { repeat: 'return' },
      body: [
        { ...half, subtotal: 500 },
        { ...half, code: 'BOB', subtotal: 499 },
      ],
      answer: [{ transaction: aliceHalf }, { transaction: bobHalf }],
    },
  ],
  getTransaction: [
    {
      summary: 'A purchase',
      parameters: { transactionId: 'order-100' },
      answer: [{ transaction: { ...recorded, memberShareAmount: 200, memberSharePercent: 20 } }],
    },
    {
      summary: 'A purchase with its meta fields',
      parameters: { transactionId: 'order-100', include: 'meta' },
      answer: [
        {
          transaction: {
            ...recorded,
            memberShareAmount: 200,
            memberSharePercent: 20,
            createdAt: '2026-05-01T12:00:01.120Z',
            updatedAt: '2026-05-01T12:00:01.120Z',
            groupId: 'main',
            memberId: 'acc_alice',
            refundedAmount: 0,
          },
        },
      ],
    },
    {
      summary: 'An unknown transactionId',
      parameters: { transactionId: 'order-999' },
      status: 404,
      answer: { code: 'NotFound', message: 'No transaction has this transactionId.' },
    },
  ],
  listTransactions: [
    {
      summary: 'Transactions of a creator code',
      parameters: {
        code: 'BOB',
        status: ['normal', 'refund'],
        startDate: '2026-05-01T00:00:00Z',
        pageSize: 100,
      },
      answer: [{ transaction: { ...bobHalf, ...bobEarned } }],
    },
    {
      summary: 'An invalid cursor',
      parameters: { cursor: 'changed' },
      status: 400,
      answer: {
        code: 'InvalidCursor',
        message: 'The cursor does not belong to this list. Start again without a cursor.',
      },
    },
  ],
  updateTransactions: [
    {
      summary: 'A refund',
      parameters: { transactionId: 'order-101' },
      body: { action: 'Refund' },
      answer: [
        { transaction: { ...aliceHalf, ...aliceEarned, status: 'Refund' } },
        { transaction: { ...bobHalf, ...bobEarned, status: 'Refund' } },
      ],
    },
  ],
};
