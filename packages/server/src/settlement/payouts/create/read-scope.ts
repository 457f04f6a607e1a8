import type { Tx } from '../../../platform/database/in-transaction.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { readPayoutNeeds } from '../../../publishers/payout-needs.ts';
import { aheadMs, laterBy } from '../../../publishers/publisher-time.ts';
import { type PayoutScope, readPostedBefore } from './payout-scope.ts';

const dayMs = 86_400_000;

interface Cutoff extends Pick<PayoutScope, 'publisherId' | 'groupId' | 'asOf' | 'seenUpTo'> {}

/**
 * Reads what a plan with the cutoff depends on.
 * @param tx transaction that holds the plan's snapshot
 * @throws Refusal NotFound
 */
export async function readScope(
  tx: Tx,
  { publisherId, groupId, asOf, seenUpTo }: Cutoff,
): Promise<{ scope: PayoutScope; termsChangedAt: Date | null }> {
  const { holdDays, termsChangedAt, ahead } = await readGroupTerms(tx, publisherId, groupId);
  const holdMs = holdDays * dayMs;
  const clockAt = laterBy(asOf, Number(ahead));
  const heldAfter = laterBy(clockAt, -holdMs);
  const postedBefore = await readPostedBefore(tx, { publisherId, asOf, heldAfter });
  const needs = await readPayoutNeeds(tx, publisherId);
  const scope = { publisherId, groupId, asOf, clockAt, holdMs, heldAfter, seenUpTo, postedBefore, needs };
  return { scope, termsChangedAt };
}

async function readGroupTerms(tx: Tx, publisherId: string, groupId: string) {
  const group = await tx
    .selectFrom('creator_group')
    .select(['hold_days as holdDays', 'terms_changed_at as termsChangedAt'])
    .select(aheadMs(publisherId).as('ahead'))
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .executeTakeFirst();
  if (group === undefined) throw new Refusal('NotFound', `Publisher ${publisherId} has no group ${groupId}.`);
  return group;
}
