import type { Examples } from '../platform/http/reference/add-examples.ts';

const connectorId = 'd2Vn6wQx0Lk9RtZb4HsYc1Fa';

export const connectorExamples: Examples = {
  nameOrder: [
    {
      summary: 'Before the purchase',
      parameters: { connectorId, orderId: '1234' },
      body: { code: 'ALICE', playerId: 'player-7' },
      answer: {
        connectorId,
        orderId: '1234',
        code: 'ALICE',
        playerId: 'player-7',
        namedAt: '2026-05-02T20:16:00.000Z',
      },
    },
    {
      summary: 'Unknown connector',
      parameters: { connectorId: 'unknown', orderId: '1234' },
      body: { code: 'ALICE' },
      status: 404,
      answer: { code: 'NotFound', message: 'Publisher aurora has no connector unknown.' },
    },
  ],
};
