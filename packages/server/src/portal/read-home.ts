import { listOwnMemberships, type OwnMembership } from '../members/read/list-own-memberships.ts';
import type { Db } from '../platform/database/database.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import {
  nothingDue,
  type PlannedWaiting,
  readPlannedWaiting,
} from '../settlement/payouts/read/read-member-waiting.ts';
import { type Earned, readEarned } from '../settlement/read-earned.ts';

/** Money of a creator in one currency and group. */
export interface HomeCurrency extends PlannedWaiting {
  /** Shares of the purchases of the current UTC day, without reversed purchases. */
  todayMinor: bigint;
  /** Shares of the purchases of the current UTC month, without reversed purchases. */
  monthMinor: bigint;
}

/** One of a creator's memberships, with its money. */
export interface HomeGroup extends Omit<OwnMembership, 'membershipId'> {
  asOf: Date;
  /** Start of the day on which the next payout is planned; null if the group has no payout calendar. */
  plannedFor: Date | null;
  currencies: HomeCurrency[];
}

/**
 * Reads the money of a creator's accounts at a publisher, for each group. All amounts are sums that posting maintains, or
 * come from the function that previews and payouts use.
 */
export async function readHome(
  db: Db,
  publisherId: string,
  accountIds: readonly AccountId[],
): Promise<HomeGroup[]> {
  const groups: HomeGroup[] = [];
  for (const membership of await listOwnMemberships(db, publisherId, accountIds))
    groups.push(await readGroup(db, publisherId, membership));
  return groups;
}

async function readGroup(
  db: Db,
  publisherId: string,
  { membershipId, ...membership }: OwnMembership,
): Promise<HomeGroup> {
  const { accountId: memberId, groupId } = membership;
  const member = { publisherId, memberId, membershipId, groupId };
  const { asOf, plannedFor, rows, membershipIds } = await readPlannedWaiting(db, member);
  const sums = await readEarned(db, publisherId, membershipIds, asOf);
  const earned = new Map(sums.map((each) => [each.currency, each]));
  const waiting = new Map(rows.map((row) => [row.currency, row]));
  return {
    ...membership,
    asOf,
    plannedFor,
    currencies: inOrder([...waiting.keys(), ...earned.keys()], earned).map((currency) => ({
      ...(waiting.get(currency) ?? nothingWaits(currency)),
      todayMinor: earned.get(currency)?.todayMinor ?? 0n,
      monthMinor: earned.get(currency)?.monthMinor ?? 0n,
    })),
  };
}

/** Orders currencies by the number of recent purchases, as the dashboard does, and by code. */
const inOrder = (
  currencies: readonly string[],
  earned: ReadonlyMap<string, Pick<Earned, 'recentCount'>>,
): string[] => {
  const count = (currency: string): bigint => earned.get(currency)?.recentCount ?? 0n;
  return [...new Set(currencies)]
    .sort()
    .sort((one, other) => Number(count(other) > count(one)) - Number(count(one) > count(other)));
};

const nothingWaits = (currency: string): PlannedWaiting => ({
  currency,
  balanceMinor: 0n,
  dueMinor: 0n,
  due: nothingDue,
  plannedMinor: 0n,
  minimumMinor: 0n,
  waiting: [],
});
