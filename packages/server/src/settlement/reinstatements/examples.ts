import { Type } from 'typebox';
import type { Examples } from '../../platform/http/reference/add-examples.ts';
import type { DescribedEvent } from '../../webhooks/describe-webhook.ts';
import { reinstatement } from './reinstatement-schema.ts';

const reinstated = {
  refundId: 're_2001',
  transactionId: 'order-101',
  reason: 'The bank rejected the refund.',
  occurredAt: '2026-05-06T08:00:00.000Z',
  createdAt: '2026-05-06T08:00:01.093Z',
  rows: [
    {
      id: '01a1fdb9-0f3e-7c41-9a1d-6e2f0b7c9d10',
      amount: 100,
      currency: 'USD',
      memberShareAmount: 20,
      status: 'Normal',
    },
    {
      id: '01a1fdb9-0f3e-7c41-9a1d-7f30a1b2c3d4',
      amount: 100,
      currency: 'USD',
      memberShareAmount: 10,
      status: 'Normal',
    },
  ],
};

export const reinstatementExamples: Examples = {
  reinstateRefund: [
    {
      summary: 'A refund that the bank rejected',
      parameters: { transactionId: 'order-101', refundId: 're_2001' },
      body: { reason: 'The bank rejected the refund.', occurredAt: '2026-05-06T08:00:00Z' },
      answer: reinstated,
    },
    {
      summary: 'An unknown refund',
      parameters: { transactionId: 'order-101', refundId: 're_2009' },
      body: { reason: 'The bank rejected the refund.' },
      status: 404,
      answer: {
        code: 'NotFound',
        message: 'The transaction has no refund with this id. List its refunds, and use one of their ids.',
      },
    },
  ],
};

export const reinstatementEvents: readonly DescribedEvent[] = [
  {
    kind: 'Attribution/TransactionReinstated',
    description:
      'Occurs whenever a refund, a status change or a clawback is reinstated. If the status of a record changes, its status change has its own event.',
    event: Type.Object(
      { groupId: Type.String(), ...reinstatement.properties },
      {
        title: 'ReinstatementEvent',
        description: 'A reinstatement, and the id of the group of its transaction.',
      },
    ),
    example: { groupId: 'main', ...reinstated },
  },
];
