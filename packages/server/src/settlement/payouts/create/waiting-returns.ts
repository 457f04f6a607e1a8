import { type RawBuilder, sql } from 'kysely';
import type { PayableScope } from './payout-scope.ts';

/**
 * Returns a condition for a group's amounts that are owed again and that, at a cutoff, were waiting for a payout: amounts
 * of lines that failed or came back, and reinstated shares that were already paid. A payout adds them as adjustments,
 * just as it deducts clawbacks.
 */
export const waitingReturns = ({ publisherId, groupId, asOf }: PayableScope): RawBuilder<unknown> => sql`
  r.publisher_id = ${publisherId} and r.group_id = ${groupId} and r.payout_batch_id is null
  and r.created_at <= ${asOf} and (r.payable_at is null or r.payable_at <= ${asOf})`;
