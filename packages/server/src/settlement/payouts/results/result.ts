import { type RawBuilder, sql } from 'kysely';
import type { PayoutStatus } from '../read/read-payouts.ts';

/**
 * Results of a payout's line, in the order in which a line can have them. Sent: the bank or provider accepted the
 * payment. Paid: the creator received it. Failed: it didn't go through. Returned: it went through, but the money came
 * back.
 */
export const lineResults = ['Sent', 'Paid', 'Failed', 'Returned'] as const;
export type LineResult = (typeof lineResults)[number];

/** Returns a condition that is true if a line of a payout has a result. Such a payout can't be canceled. */
export const hasResults = (publisherId: string, batchId: string): RawBuilder<unknown> => sql`
  exists (select 1 from payout_result s where s.publisher_id = ${publisherId} and s.batch_id = ${batchId}::uuid)`;

/** Returns whether a line's money is owed again. */
export const isOwedAgain = (result: LineResult | null): boolean =>
  result === 'Failed' || result === 'Returned';

/**
 * Returns a line's current result as SQL: the last that was set, or Paid if none was and the payout is paid;
 * null while nothing is known.
 * @param item alias of a payout item
 * @param status status of its payout
 * @param before the time before which a result counts; null for all
 */
export const resultOf = (
  publisherId: string,
  item: string,
  { status, before = null }: { status: RawBuilder<unknown>; before?: Date | null },
): RawBuilder<LineResult | null> => sql<LineResult | null>`
  coalesce((
    select s.result
    from payout_result s
    where s.publisher_id = ${publisherId} and s.item_id = ${sql.ref(`${item}.item_id`)}
      and ${before === null ? sql`true` : sql`s.recorded_at < ${before}`}
    order by case s.result when 'Sent' then 1 when 'Paid' then 2 else 3 end desc
    limit 1
  ), case when ${status} = 'Paid' then 'Paid' end)`;

/**
 * Returns the reason why a line can't get a result; null if it can, or already has it. A line never goes back
 * to an earlier result, because that would pay one amount several times.
 */
export function whyNot(
  from: LineResult | null,
  to: LineResult,
  payout: Pick<{ status: PayoutStatus }, 'status'>,
): string | null {
  if (from === to) return null;
  if (from === 'Failed' || from === 'Returned')
    return `The line is ${from}, and its amount is owed again. That can't be changed.`;
  switch (to) {
    case 'Sent':
      return from === null
        ? null
        : `The line is ${from}${payout.status === 'Paid' ? ', like its payout' : ''}. It can't become Sent again.`;
    case 'Paid':
      return null;
    case 'Failed':
      return from === 'Paid' ? 'The line is Paid. If the money came back, set the result to Returned.' : null;
    case 'Returned':
      return from === null
        ? 'The line is not Sent or Paid yet. If its payment was rejected, set the result to Failed.'
        : null;
  }
}
