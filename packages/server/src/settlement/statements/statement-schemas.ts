import { Type } from 'typebox';
import { minor, nullable, oneOf, time } from '../../platform/http/schemas/fields.ts';
import type { Statement } from './statement.ts';

const payout = Type.Object(
  {
    number: Type.Integer({ description: 'Number of the payout.' }),
    reference: Type.String({ description: 'Reference of the creator’s line, as in the bank statement.' }),
    createdAt: time('When the payout was created.'),
    amountMinor: minor('Amount of the line.'),
    toPayoutMinor: minor(
      'Part of `toPayoutsMinor`: the negative amount if the line was created in the month, or else 0.',
    ),
    fromPayoutMinor: minor('Part of `fromPayoutsMinor`: the amount if it came back in the month, or else 0.'),
    state: oneOf(['Created', 'Sent', 'Paid', 'Failed', 'Returned', 'Cancelled'], {
      title: 'StatementPayoutState',
      description:
        'State at the end of the month. Created: not sent yet, or not known. Sent: the bank or provider accepted it. Paid: paid. Failed, Returned and Cancelled: not paid, and owed again.',
    }),
    paidAt: nullable(
      time(
        'When its result was set to Paid, or its payout was marked as paid, even if it is only known to be Sent. Null if it failed, or if neither was the case at the end of the month.',
      ),
    ),
  },
  {
    title: 'StatementPayout',
    description: 'Payout of the month, or of an earlier month that was paid in it.',
  },
);

export const statement = Type.Object(
  {
    statementId: Type.String(),
    month: Type.String({ description: 'Month (UTC), such as 2026-10.' }),
    groupId: Type.String(),
    groupName: Type.String(),
    accountId: Type.String(),
    accountName: Type.String({ description: 'Name when the statement was issued.' }),
    currency: Type.String(),
    issuedAt: time('When the statement was issued. It doesn’t change afterward.'),
    openingMinor: minor('Balance at the start of the month: the closing balance of the statement before.'),
    earnedMinor: minor('Shares of the purchases that were booked in the month.'),
    bountiesMinor: minor('Rewards for completed bounties.'),
    reversedMinor: minor('Shares taken back before they were in a payout; 0 or negative.'),
    clawedBackMinor: minor('Shares taken back after they had been paid; 0 or negative.'),
    reinstatedMinor: minor('Shares given back because a refund was reinstated.'),
    toPayoutsMinor: minor('Amounts put into payouts, whether or not they have been paid; 0 or negative.'),
    fromPayoutsMinor: minor('Amounts of canceled payouts, and of payments that failed or came back.'),
    claimedMinor: minor('Balance that a claimed member brought in.'),
    closingMinor: minor('Balance at the end of the month: the sum of all amounts above.'),
    payouts: Type.Array(payout, { description: 'Oldest first.' }),
  },
  {
    title: 'MonthlyStatement',
    description: 'What was booked for one membership in one month and currency.',
  },
);

export const statementList = Type.Object(
  {
    rows: Type.Array(statement, { description: 'The latest month first.' }),
    areMore: Type.Boolean({ description: 'True if the list leaves out older statements.' }),
  },
  { title: 'MonthlyStatements' },
);

/** Returns a statement without internal ids. */
export const toShownStatement = ({
  publisherId: _publisher,
  publisherName: _name,
  membershipId: _membership,
  membershipIds: _memberships,
  entriesFrom: _from,
  entriesBefore: _before,
  ...shown
}: Statement) => shown;
