import { type RawBuilder, sql } from 'kysely';
import { joinMember } from '../../../members/standing.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { AccountId, MembershipId } from '../../../platform/database/tables.generated.ts';
import { laterBy } from '../../../publishers/publisher-time.ts';
import { type PayoutBatch, readBatches } from '../read/read-payouts.ts';
import { type LineResult, resultOf } from '../results/result.ts';
import type { MonthSpan } from './month-span.ts';
import { readByKey } from './read-by-key.ts';
import type { Separately } from './read-statements.ts';

/** Member's line in a payout that is in the month's statements or was marked as paid during the month. */
export interface MonthItem {
  payout: PayoutBatch;
  /** Status at the end of the span. */
  status: 'Preparing' | 'Created' | 'Paid' | 'Cancelled';
  reference: string;
  /** Result at the end of the span; null if it was not known. */
  result: LineResult | null;
  memberId: AccountId;
  playerId: string | null;
  name: string;
  rowCount: number;
  paymentsMinor: bigint;
  rewardsMinor: bigint;
  adjustmentsMinor: bigint;
  amountMinor: bigint;
  /**
   * Contribution to the month's statement: −amount if the item was created in the month, +amount if it was returned.
   */
  bookedMinor: bigint;
}

const itemsPerRead = 1_000;
const payoutsPerRead = 1_000;
const noId = '00000000-0000-0000-0000-000000000000';
/** A payout is filled in steps after it is created, and its amounts are returned in steps after it is canceled. */
const stepsTakeMs = 86_400_000;

/** Yields the items of a month's payouts, oldest payout first, up to a thousand at a time. */
export async function* readMonthItems(
  db: Db,
  span: MonthSpan,
  separately: Separately,
): AsyncGenerator<MonthItem[]> {
  for (let after: string = noId; ; ) {
    const payouts = await separately(() => readPayouts(db, span, after));
    for (const payout of payouts) yield* itemsOf(db, span, { payout, separately });
    const last = payouts.at(-1);
    if (last === undefined || payouts.length < payoutsPerRead) return;
    after = last.batchId;
  }
}

function readPayouts(db: Db, span: MonthSpan, after: string): Promise<PayoutBatch[]> {
  const { publisherId, from, asOf, entriesFrom, entriesBefore } = span;
  const sinceStep = laterBy(entriesFrom, -stepsTakeMs);
  return readBatches(
    db,
    publisherId,
    sql`and batch_id > ${after}::uuid and created_at < ${entriesBefore}
        and (created_at >= ${sinceStep} or cancelled_at >= ${sinceStep} or (paid_at >= ${from} and paid_at < ${asOf})
             or exists (
               select 1
               from payout_return r
               where r.publisher_id = ${publisherId} and r.from_batch_id = payout_batch.batch_id
                 and r.created_at >= ${sinceStep} and r.created_at < ${entriesBefore}))
        order by batch_id
        limit ${payoutsPerRead}`,
  );
}

async function* itemsOf(
  db: Db,
  span: MonthSpan,
  { payout, separately }: { payout: PayoutBatch; separately: Separately },
): AsyncGenerator<MonthItem[]> {
  const { from, asOf } = span;
  const isInMonth = (at: Date | null): boolean => at !== null && at >= from && at < asOf;
  const { createdAt, paidAt, cancelledAt, wasUndone } = payout;
  const isShownWhole = !wasUndone && [createdAt, paidAt, cancelledAt].some(isInMonth);
  for (let after: string = noId; ; ) {
    const rows: ItemRow[] = await separately(() => readByKey(db, itemQuery(span, payout, after)));
    yield rows
      .filter(({ booked }) => isShownWhole || BigInt(booked) !== 0n)
      .map((row) => toItem(row, payout, asOf));
    const last = rows.at(-1);
    if (last === undefined || rows.length < itemsPerRead) return;
    after = last.membership_id;
  }
}

interface ItemRow {
  reference: string;
  result: LineResult | null;
  membership_id: MembershipId;
  account_id: AccountId;
  player_id: string | null;
  name: string;
  row_count: bigint;
  payments_minor: string;
  rewards_minor: string;
  adjustments_minor: string;
  amount_minor: string;
  booked: string;
}

const itemQuery = (
  { publisherId, entriesFrom, entriesBefore, asOf }: MonthSpan,
  payout: PayoutBatch,
  after: string,
): RawBuilder<ItemRow> => sql<ItemRow>`
    select i.reference, ${resultOf(publisherId, 'i', { status: sql`${statusAt(payout, asOf)}::text`, before: asOf })} as result,
           i.membership_id, m.account_id, m.player_id, a.name, i.row_count, i.payments_minor, i.rewards_minor,
           i.adjustments_minor, i.amount_minor, (
             select coalesce(sum(e.amount_minor), 0)::text
             from ledger_entry e
             where e.publisher_id = ${publisherId} and e.membership_id = i.membership_id and e.currency = ${payout.currency}
               and e.subject_id = i.item_id and e.kind in ('payout', 'payout-return')
               and e.created_at >= ${entriesFrom} and e.created_at < ${entriesBefore}
           ) as booked
    from (
      select i.*
      from payout_item i
      where i.publisher_id = ${publisherId} and i.batch_id = ${payout.batchId}::uuid and i.membership_id > ${after}::uuid
      order by i.membership_id
      limit ${itemsPerRead}
    ) i
    ${joinMember('i')}
    join creator_account a on a.account_id = m.account_id
    order by i.membership_id`;

const toItem = (row: ItemRow, payout: PayoutBatch, asOf: Date): MonthItem => ({
  payout,
  status: statusAt(payout, asOf),
  reference: row.reference,
  result: row.result,
  memberId: row.account_id,
  playerId: row.player_id,
  name: row.name,
  rowCount: Number(row.row_count),
  paymentsMinor: BigInt(row.payments_minor),
  rewardsMinor: BigInt(row.rewards_minor),
  adjustmentsMinor: BigInt(row.adjustments_minor),
  amountMinor: BigInt(row.amount_minor),
  bookedMinor: BigInt(row.booked),
});

/** Later changes are ignored, so that a month always gives the same file. */
function statusAt({ status, paidAt, cancelledAt }: PayoutBatch, asOf: Date): MonthItem['status'] {
  if (paidAt !== null && paidAt < asOf) return 'Paid';
  if (cancelledAt !== null && cancelledAt < asOf) return 'Cancelled';
  return status === 'Preparing' ? 'Preparing' : 'Created';
}
