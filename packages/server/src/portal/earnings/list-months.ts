import { readOwnHistory } from '../../members/read/list-own-memberships.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { nowAt } from '../../publishers/publisher-time.ts';
import { type MonthOfMember, readMonthsOfMember } from '../../settlement/read-months-of-member.ts';

const yearsListed = 3;

/** Lists what a creator earned at a publisher by month and currency, latest month first. */
export async function listMonths(
  db: Db,
  clock: Clock,
  publisherId: string,
  accountIds: readonly AccountId[],
): Promise<MonthOfMember[]> {
  const own = await readOwnHistory(db, publisherId, accountIds);
  const since = await nowAt(db, clock, publisherId);
  since.setUTCFullYear(since.getUTCFullYear() - yearsListed, since.getUTCMonth(), 1);
  return readMonthsOfMember(db, publisherId, [...own.keys()], since.toISOString().slice(0, 10));
}
