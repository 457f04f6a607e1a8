import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { MembershipId } from '../../../platform/database/tables.generated.ts';
import { pinPlans } from '../../pin-plans.ts';
import { readPayable } from './payable.ts';
import { type PayoutPreview, previewOf } from './preview-payout.ts';
import { readScope } from './read-scope.ts';
import { readSumsUntil } from './sums-of-days.ts';

/**
 * Maximum number of the publisher's recent rows to check for one member. It is lower than for a whole group, because
 * checking them takes the same time for every member, and most members have fewer unpaid rows than that.
 */
const maxRecentRows = 10_000;

/**
 * Calculates what a payout of a group would pay one member now, in all currencies, like a preview. Doesn't take a
 * cutoff, because no payout is based on the result, and shows a payout in progress as it is.
 * @param tx transaction whose reads all use one snapshot
 * @param membershipIds the member's own membership and those merged into it
 * @param later cutoff in the future, on the service's clock. The plan then contains what such a payout would pay if
 * nothing else happened until then
 */
export async function planMember(
  tx: Tx,
  {
    publisherId,
    groupId,
    membershipIds,
    later = null,
  }: { publisherId: string; groupId: string; membershipIds: readonly MembershipId[]; later?: Date | null },
): Promise<PayoutPreview> {
  const now = await readMoment(tx);
  await sql`select ${pinPlans}`.execute(tx);
  const { scope } = await readScope(tx, { publisherId, groupId, asOf: later ?? now, seenUpTo: now });
  const sumsUntil = await readSumsUntil(tx, scope, maxRecentRows);
  return previewOf(tx, scope, await readPayable(tx, scope, { currency: null, membershipIds, sumsUntil }));
}
