import type { AccountId, MembershipId, StatementId } from '../../platform/database/tables.generated.ts';
import type { LineResult } from '../payouts/results/result.ts';

/** Kinds of movements of a statement, in the order in which they are shown. Each is a column, such as `earned_minor`. */
export const movements = [
  'earned',
  'bounties',
  'reversed',
  'clawedBack',
  'reinstated',
  'toPayouts',
  'fromPayouts',
  'claimed',
] as const;
export type Movement = (typeof movements)[number];

/** Sums of a month in minor units. Amounts that reduce the balance are negative. */
export interface StatementSums {
  openingMinor: bigint;
  /** Shares of purchases. */
  earnedMinor: bigint;
  /** Rewards for completed bounties. */
  bountiesMinor: bigint;
  /** Shares taken back before they were in a payout. */
  reversedMinor: bigint;
  /** Shares taken back after they had been paid. */
  clawedBackMinor: bigint;
  /** Shares given back by reinstatements. */
  reinstatedMinor: bigint;
  /** Amounts put into payouts, whether or not they have been paid yet. */
  toPayoutsMinor: bigint;
  /** Amounts of canceled payouts, and of lines that failed or came back. */
  fromPayoutsMinor: bigint;
  /** Balances of memberships that were merged into the member's during the month. */
  claimedMinor: bigint;
  /** The sum of all amounts above. */
  closingMinor: bigint;
}

/** State of a payout's line at the end of a month: its result, Created while there is none, or Cancelled. */
export type StatementPayoutState = LineResult | 'Created' | 'Cancelled';

export interface StatementPayout {
  number: number;
  reference: string;
  createdAt: Date;
  amountMinor: bigint;
  /** Parts of the month's movements: −amount if the line was created in it, and +amount if it came back in it. */
  toPayoutMinor: bigint;
  fromPayoutMinor: bigint;
  state: StatementPayoutState;
  /**
   * When the line counts as paid, as in the yearly file: when its result was set to Paid, or its payout was marked as paid. Null
   * for a line that failed, and if it was not known at the end of the month.
   */
  paidAt: Date | null;
}

/** Issued statement of one member, month and currency. It never changes. */
export interface Statement extends StatementSums {
  statementId: StatementId;
  publisherId: string;
  publisherName: string;
  groupId: string;
  groupName: string;
  membershipId: MembershipId;
  /** Memberships whose entries it contains. */
  membershipIds: readonly MembershipId[];
  accountId: AccountId;
  accountName: string;
  currency: string;
  /** UTC month, such as `2026-10`. */
  month: string;
  /** Start and (exclusive) end of the month on the service's clock, which ledger entries use. */
  entriesFrom: Date;
  entriesBefore: Date;
  issuedAt: Date;
  payouts: readonly StatementPayout[];
}

/** Returns the name of a statement's file, without its ending. */
export const statementFileName = ({ publisherId, groupId, month, currency }: Statement): string =>
  `statement-${publisherId}-${groupId}-${month}-${currency}`.replaceAll(/[^\w.-]+/g, '-');
