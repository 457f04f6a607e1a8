import { listOwnMemberships, type OwnMembership } from '../members/read/list-own-memberships.ts';
import type { Db } from '../platform/database/database.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { type PlannedWaiting, readPlannedWaiting } from '../settlement/payouts/read/read-member-waiting.ts';
import { type MemberMoney, readMemberMoney } from '../settlement/read-member-money.ts';

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
  const { asOf, plannedFor, rows } = await readPlannedWaiting(db, { publisherId, memberId, groupId });
  const today = asOf.toISOString().slice(0, 10);
  const ofMonth = await readMemberMoney(db, publisherId, membershipId, `${today.slice(0, 7)}-01`);
  const ofToday = await readMemberMoney(db, publisherId, membershipId, today);
  const waiting = new Map(rows.map((row) => [row.currency, row]));
  const currencies = new Set([...waiting.keys(), ...earnedIn(ofMonth)]);
  return {
    ...membership,
    asOf,
    plannedFor,
    currencies: [...currencies].sort().map((currency) => ({
      ...(waiting.get(currency) ?? nothingWaits(currency)),
      todayMinor: shareIn(ofToday, currency),
      monthMinor: shareIn(ofMonth, currency),
    })),
  };
}

const earnedIn = (money: readonly MemberMoney[]): string[] =>
  money
    .filter(({ purchases, shareMinor }) => purchases > 0n || shareMinor !== 0n)
    .map(({ currency }) => currency);

const shareIn = (money: readonly MemberMoney[], currency: string): bigint =>
  money.find((each) => each.currency === currency)?.shareMinor ?? 0n;

const nothingWaits = (currency: string): PlannedWaiting => ({
  currency,
  balanceMinor: 0n,
  dueMinor: 0n,
  plannedMinor: 0n,
  minimumMinor: 0n,
  waiting: [],
});
