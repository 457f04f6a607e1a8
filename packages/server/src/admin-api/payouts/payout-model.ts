import { Type } from 'typebox';
import type { PayoutBatch, PayoutStatus } from '../../settlement/payouts/read/read-payouts.ts';
import { minor, nullable, time } from '../schemas.ts';

export const payoutTags = ['Payouts'];

export const payoutStatuses = ['Preparing', 'Created', 'Paid', 'Cancelling', 'Cancelled'] as const;

export const payoutStatus = Type.Union(
  payoutStatuses.map((status) => Type.Literal(status)),
  {
    title: 'PayoutStatus',
    description: 'Preparing and Cancelling: it is being made, or taken back, in steps.',
  },
);

export const currencyText = Type.String({ minLength: 3, maxLength: 3, pattern: '^[A-Z]{3}$' });

/** Who did something. */
export const person = Type.Object(
  {
    kind: Type.String({ description: 'As in the audit log: staff, token, command, service, …' }),
    id: Type.String(),
    name: Type.String(),
  },
  { title: 'WhoDidIt' },
);

export const payout = Type.Object(
  {
    payoutId: Type.String(),
    groupId: Type.String(),
    currency: Type.String(),
    status: payoutStatus,
    asOf: time('What was due by then is in it.'),
    totalMinor: minor('What it pays; of one that is Preparing, so far.'),
    memberCount: Type.Integer({ description: 'Of one that is Preparing, so far.' }),
    plannedCount: nullable(Type.Integer({ description: 'Members that it was begun for.' })),
    rowCount: Type.Integer({ description: 'Purchases that it pays.' }),
    createdAt: time(''),
    createdBy: nullable(person),
    paidAt: nullable(time('')),
    paidBy: nullable(person),
    cancelledAt: nullable(time('')),
    wasUndone: Type.Boolean({
      description: 'It was taken back before it was made whole: nobody was ever told of it.',
    }),
  },
  { title: 'Payout' },
);

export const toPayout = (batch: PayoutBatch) => ({
  payoutId: batch.batchId,
  groupId: batch.groupId,
  currency: batch.currency,
  status: batch.status satisfies PayoutStatus,
  asOf: batch.asOf.toISOString(),
  totalMinor: String(batch.totalMinor),
  memberCount: batch.memberCount,
  plannedCount: batch.plannedCount,
  rowCount: batch.rowCount,
  createdAt: batch.createdAt.toISOString(),
  createdBy: batch.createdBy,
  paidAt: batch.paidAt?.toISOString() ?? null,
  paidBy: batch.paidBy,
  cancelledAt: batch.cancelledAt?.toISOString() ?? null,
  wasUndone: batch.wasUndone,
});

export const payoutPath = Type.Object({
  publisherId: Type.String({ minLength: 1, maxLength: 255 }),
  payoutId: Type.String({ minLength: 1, maxLength: 64, pattern: '^[0-9A-Za-z-]+$' }),
});
