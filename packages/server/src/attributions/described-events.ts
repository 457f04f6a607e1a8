import { Type } from 'typebox';
import type { DescribedEvent } from '../webhooks/describe-webhook.ts';
import { transactionFields } from './transaction-schema.ts';

const { metrics, ...fields } = transactionFields;

const event = Type.Object(
  { groupId: Type.String(), ...fields },
  { title: 'TransactionEvent', description: 'A transaction without `metrics`, and the id of its group.' },
);
const example = {
  groupId: 'main',
  id: '01a1fdb8-cbcc-76c3-b6f4-5c901270ec4a',
  code: 'ALICE',
  memberPlayerId: 'p-1',
  description: 'Battle pass',
  status: 'Normal',
  origin: 'api',
  subtotal: 999,
  currency: 'USD',
  total: 999,
  totalCurrency: 'USD',
  transactionId: 'order-100',
  transactionDate: '2026-05-01T12:00:00.000Z',
  memberPaid: false,
};

export const transactionEvents: readonly DescribedEvent[] = [
  {
    kind: 'Attribution/TransactionRecorded',
    description: 'Occurs whenever a row is recorded. Each row has its own event, including Test rows.',
    event,
    example,
  },
  {
    kind: 'Attribution/TransactionStatusChanged',
    description: 'Occurs whenever a row is refunded, marked as fraud, charged back, or clawed back.',
    event,
    example: { ...example, status: 'Refund', memberShareAmount: 200, memberSharePercent: 20 },
  },
];
