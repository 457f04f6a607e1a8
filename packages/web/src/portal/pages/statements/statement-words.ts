import type { MonthlyStatement, StatementPayout } from '../../../client/portal/types.gen.ts';
import { t } from '../../../ui/text.ts';

/** Returns the amounts of a statement with their names, which are those of its PDF file. Optional ones are left out if they are zero. */
export const amountsOf = (statement: MonthlyStatement): (readonly [name: string, minor: string])[] =>
  [
    [t('Opening balance'), statement.openingMinor, false] as const,
    [t('Earned from purchases'), statement.earnedMinor, false] as const,
    [t('Bounty rewards'), statement.bountiesMinor, true] as const,
    [t('Reversed before payout'), statement.reversedMinor, true] as const,
    [t('Reversed after payout'), statement.clawedBackMinor, true] as const,
    [t('Reinstated refunds'), statement.reinstatedMinor, true] as const,
    [t('Added to payouts'), statement.toPayoutsMinor, true] as const,
    [t('Returned from payouts'), statement.fromPayoutsMinor, true] as const,
    [t('Transferred from a claimed account'), statement.claimedMinor, true] as const,
    [t('Closing balance'), statement.closingMinor, false] as const,
  ].flatMap(([name, minor, isOptional]) => (isOptional && minor === '0' ? [] : [[name, minor] as const]));

/** Returns what was earned in the month, less what was taken back. */
export const earnedOf = (statement: MonthlyStatement): bigint =>
  BigInt(statement.earnedMinor) +
  BigInt(statement.bountiesMinor) +
  BigInt(statement.reversedMinor) +
  BigInt(statement.clawedBackMinor) +
  BigInt(statement.reinstatedMinor);

/** Returns what was put into payouts in the month, less what they returned. */
export const paidOutOf = ({ toPayoutsMinor, fromPayoutsMinor }: MonthlyStatement): bigint =>
  BigInt(toPayoutsMinor) + BigInt(fromPayoutsMinor);

/** Returns the name of a payout's state at the end of the month. */
export function stateName(state: StatementPayout['state']): string {
  switch (state) {
    case 'Created':
      return t('Not paid yet');
    case 'Sent':
      return t('Sent');
    case 'Paid':
      return t('Paid');
    case 'Failed':
      return t('Payment failed');
    case 'Returned':
      return t('Returned');
    case 'Cancelled':
      return t('Canceled');
  }
}
