import { Type } from 'typebox';
import { currency } from '../../platform/http/schemas/schemas.ts';
import type { DescribedEvent } from '../../webhooks/describe-webhook.ts';

const event = Type.Object(
  {
    payoutId: Type.String({ format: 'uuid' }),
    groupId: Type.String(),
    currency: currency('Currency of totalMinor.'),
    totalMinor: Type.String({
      pattern: '^-?[0-9]+$',
      description:
        'Total in minor units, as text, because a payout may exceed the range in which JSON numbers are exact.',
    }),
    memberCount: Type.Integer({ minimum: 0 }),
    rowCount: Type.Integer({ minimum: 0 }),
    asOf: Type.String({
      format: 'date-time',
      description: 'Cutoff of the payout. The payout includes the rows that were due at the cutoff.',
    }),
  },
  { title: 'PayoutEvent', description: 'A payout of a group in one currency.' },
);
const example = {
  payoutId: '01a1fdbd-4d88-7f35-8a6b-4c5d6e7f8091',
  groupId: 'main',
  currency: 'USD',
  totalMinor: '1250000',
  memberCount: 42,
  rowCount: 1893,
  asOf: '2026-11-21T00:00:00.000Z',
};

const line = Type.Object(
  {
    payoutId: Type.String({ format: 'uuid' }),
    groupId: Type.String(),
    reference: Type.String({ description: 'Reference of the line in payment files.' }),
    memberId: Type.String(),
    result: Type.Union([Type.Literal('Failed'), Type.Literal('Returned')], {
      description:
        "Failed: the payment didn't go through. Returned: it went through, but the money came back.",
    }),
    currency: currency('Currency of amountMinor.'),
    amountMinor: Type.String({
      pattern: '^[0-9]+$',
      description: 'Amount that is owed again, in minor units, as text.',
    }),
    note: Type.Union([Type.String(), Type.Null()], { description: 'Note on the result.' }),
    recordedAt: Type.String({ format: 'date-time', description: 'Time at which the result was set.' }),
  },
  { title: 'PayoutLineEvent', description: "A member's line in a payout whose money is owed again." },
);
const lineExample = {
  payoutId: '01a1fdbd-4d88-7f35-8a6b-4c5d6e7f8091',
  groupId: 'main',
  reference: '1042-00017',
  memberId: 'acc_kira',
  result: 'Returned',
  currency: 'USD',
  amountMinor: '4520',
  note: 'Account closed',
  recordedAt: '2026-11-24T09:30:00.000Z',
};

export const payoutEvents: readonly DescribedEvent[] = [
  { kind: 'Payout/PayoutCreated', description: 'A payout was created.', event, example },
  { kind: 'Payout/PayoutPaid', description: 'A payout was marked as paid.', event, example },
  {
    kind: 'Payout/PayoutLineReturned',
    description: "A payout line failed or was returned. Its amount is added to the member's next payout.",
    event: line,
    example: lineExample,
  },
];
