import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { MembershipId } from '../../../platform/database/tables.generated.ts';
import { pinPlans } from '../../pin-plans.ts';
import { readPayable } from './payable.ts';
import { type PayoutPreview, previewOf } from './preview-payout.ts';
import { readScope } from './read-scope.ts';

/**
 * Calculates what a payout of a group would pay one member now, in all currencies, like a preview. Doesn't take a
 * cutoff, because no payout is based on the result, and shows a payout in progress as it is.
 * @param tx transaction whose reads all use one snapshot
 * @param membershipIds the member's own membership and those merged into it
 */
export async function planMember(
  tx: Tx,
  {
    publisherId,
    groupId,
    membershipIds,
  }: { publisherId: string; groupId: string; membershipIds: readonly MembershipId[] },
): Promise<PayoutPreview> {
  const asOf = await readMoment(tx);
  await sql`select ${pinPlans}`.execute(tx);
  const { scope } = await readScope(tx, { publisherId, groupId, asOf, seenUpTo: asOf });
  return previewOf(tx, scope, await readPayable(tx, scope, { currency: null, membershipIds }));
}
