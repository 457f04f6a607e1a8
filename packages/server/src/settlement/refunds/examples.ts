import { Type } from 'typebox';
import type { Examples } from '../../platform/http/reference/add-examples.ts';
import type { DescribedEvent } from '../../webhooks/describe-webhook.ts';
import { refund } from './refund-schema.ts';

const refunded = {
  refundId: 're_2001',
  transactionId: 'order-101',
  source: 'Refund',
  reason: 'Refund',
  amount: 200,
  currency: 'USD',
  occurredAt: '2026-05-03T09:30:00.000Z',
  createdAt: '2026-05-03T09:30:02.417Z',
  rows: [
    { id: '01a1fdb9-0f3e-7c41-9a1d-6e2f0b7c9d10', amount: 100, currency: 'USD', memberShareAmount: 20 },
    { id: '01a1fdb9-0f3e-7c41-9a1d-7f30a1b2c3d4', amount: 100, currency: 'USD', memberShareAmount: 10 },
  ],
};

export const refundExamples: Examples = {
  refundTransaction: [
    {
      summary: 'A part of a purchase',
      parameters: { transactionId: 'order-101' },
      body: { refundId: 're_2001', amount: 200, reason: 'Refund', occurredAt: '2026-05-03T09:30:00Z' },
      answer: refunded,
    },
    {
      summary: 'More than is left',
      parameters: { transactionId: 'order-101' },
      body: { refundId: 're_2002', amount: 5000, reason: 'Refund' },
      status: 400,
      answer: {
        code: 'InvalidInput',
        message: 'The amount is 5000, but only 799 is left to refund. Nothing was refunded.',
      },
    },
  ],
  refundTransactions: [
    {
      summary: 'One is made, and one is not',
      body: [
        { transactionId: 'order-101', refundId: 're_2001', amount: 200, reason: 'Refund' },
        { transactionId: 'order-999', refundId: 're_2003', reason: 'Chargeback' },
      ],
      answer: [
        { transactionId: 'order-101', refundId: 're_2001', refund: refunded },
        {
          transactionId: 'order-999',
          refundId: 're_2003',
          error: { status: 404, code: 'NotFound', message: 'No transaction has this transactionId.' },
        },
      ],
    },
  ],
  listRefunds: [
    {
      summary: 'The refunds of a purchase',
      parameters: { transactionId: 'order-101' },
      answer: [refunded],
    },
  ],
};

export const refundEvents: readonly DescribedEvent[] = [
  {
    kind: 'Attribution/TransactionRefunded',
    description:
      'Occurs whenever a transaction or a part of it is refunded with a `refundId`. If a row is fully refunded, its status change has its own event.',
    event: Type.Object(
      { groupId: Type.String(), ...refund.properties },
      { title: 'RefundEvent', description: 'A refund, and the id of the group of its transaction.' },
    ),
    example: { groupId: 'main', ...refunded },
  },
];
