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
 * Returns a relation with one row as SQL: when a line was paid (`paid_at`), and when its money came back (`returned_at`). A
 * line was paid when its result was set to Paid, or else when its payout was marked as paid, which also counts for a Sent line.
 * A line that failed was never paid, and neither was one whose money came back before its payout was marked as paid.
 * @param item alias of a payout item
 * @param batch alias of its payout
 * @param before the time before which results and the mark count; null for all
 */
export const paymentOf = (
  publisherId: string,
  { item, batch, before = null }: { item: string; batch: string; before?: Date | null },
): RawBuilder<{ paid_at: Date | null; returned_at: Date | null }> => {
  const isBefore = (at: RawBuilder<unknown>) => (before === null ? sql`true` : sql`${at} < ${before}`);
  const markedAt = sql.ref(`${batch}.paid_at`);
  return sql`
  select case when s.failed_at is not null then null
              when s.paid_at is not null then s.paid_at
              when ${markedAt} <= coalesce(s.returned_at, ${markedAt}) and ${isBefore(markedAt)} then ${markedAt} end as paid_at,
         s.returned_at
  from (
    select min(s.recorded_at) filter (where s.result = 'Paid') as paid_at,
           min(s.recorded_at) filter (where s.result = 'Failed') as failed_at,
           min(s.recorded_at) filter (where s.result = 'Returned') as returned_at
    from payout_result s
    where s.publisher_id = ${publisherId} and s.item_id = ${sql.ref(`${item}.item_id`)}
      and ${isBefore(sql`s.recorded_at`)}
  ) s`;
};

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
