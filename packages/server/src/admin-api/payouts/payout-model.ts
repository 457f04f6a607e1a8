import { Type } from 'typebox';
import type { PayoutBatch, PayoutStatus } from '../../settlement/payouts/read/read-payouts.ts';
import { lineResults } from '../../settlement/payouts/results/result.ts';
import { minor, nullable, oneOf, time } from '../schemas.ts';

export const payoutStatuses = ['Preparing', 'Created', 'Paid', 'Cancelling', 'Cancelled'] as const;

export const payoutStatus = oneOf(payoutStatuses, {
  title: 'PayoutStatus',
  description:
    'Preparing: the payout is being created in steps. Cancelling: the payout is being canceled in steps.',
});

export const lineResult = oneOf(lineResults, {
  title: 'LineResult',
  description:
    "Result of a payout's line. Sent: the bank or provider accepted the payment. Paid: the member received it. Failed: it didn't go through. Returned: it went through, but the money came back.",
});

export const currencyText = Type.String({ minLength: 3, maxLength: 3, pattern: '^[A-Z]{3}$' });

export const actorSummary = Type.Object(
  {
    kind: Type.String({
      description: 'Kind of actor, as in the audit log: staff, token, command, service, …',
    }),
    id: Type.String(),
    name: Type.String(),
  },
  { title: 'ActorSummary' },
);

export const payout = Type.Object(
  {
    payoutId: Type.String(),
    number: Type.Integer({
      description:
        'Payout number, which the references of its lines start with. Unique within the publisher.',
    }),
    groupId: Type.String(),
    currency: Type.String(),
    status: payoutStatus,
    asOf: time('Cutoff: everything due at this time is in the payout.'),
    totalMinor: minor('Sum that the payout pays, or the sum so far while the payout is Preparing.'),
    memberCount: Type.Integer({
      description:
        'Number of members that the payout pays, or the number so far while the payout is Preparing.',
    }),
    plannedCount: nullable(
      Type.Integer({ description: 'Number of members who were due a payment when the payout was started.' }),
    ),
    rowCount: Type.Integer({ description: 'Number of rows that the payout pays.' }),
    createdAt: time('Creation time.'),
    createdBy: nullable(actorSummary),
    paidAt: nullable(time('Time the payout was marked as paid.')),
    paidBy: nullable(actorSummary),
    cancelledAt: nullable(time('Cancellation time.')),
    wasUndone: Type.Boolean({
      description:
        'True if the payout was canceled before it was completely created. No event was sent for such a payout.',
    }),
  },
  { title: 'Payout' },
);

export const toPayout = (batch: PayoutBatch) => ({
  payoutId: batch.batchId,
  number: batch.number,
  groupId: batch.groupId,
  currency: batch.currency,
  status: batch.status satisfies PayoutStatus,
  asOf: batch.asOf,
  totalMinor: batch.totalMinor,
  memberCount: batch.memberCount,
  plannedCount: batch.plannedCount,
  rowCount: batch.rowCount,
  createdAt: batch.createdAt,
  createdBy: batch.createdBy,
  paidAt: batch.paidAt,
  paidBy: batch.paidBy,
  cancelledAt: batch.cancelledAt,
  wasUndone: batch.wasUndone,
});

export const payoutPath = Type.Object({
  publisherId: Type.String({ minLength: 1, maxLength: 255 }),
  payoutId: Type.String({ minLength: 1, maxLength: 64, pattern: '^[0-9A-Za-z-]+$' }),
});
