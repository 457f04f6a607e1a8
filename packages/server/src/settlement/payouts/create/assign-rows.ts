import { sql } from 'kysely';
import { recordingOf } from '../../../attributions/posted.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { MembershipId, PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import { isRowUnheld } from '../../holds/held.ts';
import { raisingMarks } from '../../ledger.ts';
import type { CountAndSum, PlannedPayable } from './payable.ts';
import type { PayoutScope } from './payout-scope.ts';
import {
  isFree,
  isNotReinstatedSince,
  isOpen,
  lateRecordings,
  marksOf,
  rowsFromMarks,
} from './unpaid-rows.ts';

export interface AssignStep {
  scope: PayoutScope;
  batchIds: ReadonlyMap<string, PayoutBatchId>;
  payables: readonly PlannedPayable[];
}

/**
 * Range of dates with an exclusive end. A null start means the member's mark; a null end means the end of the hold
 * period.
 */
export interface DateRange {
  from: Date | null;
  until: Date | null;
}

const none: CountAndSum = { count: 0, amountMinor: 0n };

export class Sums {
  readonly #sums = new Map<string, CountAndSum>();

  add(membershipId: MembershipId, currency: string, sum: CountAndSum): void {
    this.#add(`${membershipId} ${currency}`, sum);
  }

  addAll(others: Sums): void {
    for (const [key, sum] of others.#sums) this.#add(key, sum);
  }

  of(membershipId: MembershipId, currency: string): CountAndSum {
    return this.#sums.get(`${membershipId} ${currency}`) ?? none;
  }

  #add(key: string, { count, amountMinor }: CountAndSum): void {
    const before = this.#sums.get(key) ?? none;
    this.#sums.set(key, { count: before.count + count, amountMinor: before.amountMinor + amountMinor });
  }
}

/** Returns a JSON object that SQL uses to look up the batch for a membership and currency. */
export function wantedBatches({ batchIds, payables }: AssignStep): string {
  const wanted: Record<string, Record<string, string | undefined>> = {};
  for (const { membershipIds, currency } of payables)
    for (const id of membershipIds) wanted[id] = { ...wanted[id], [currency]: batchIds.get(currency) };
  return JSON.stringify(wanted);
}

/**
 * Assigns the members' purchases that were payable at the cutoff and still are, stores payments for rows that have
 * none, and raises the members' marks to the earliest row that is still unassigned and wasn't reversed at the cutoff.
 * A mark therefore never passes a row on hold. Skips rows that were posted since the cutoff or are still unposted;
 * posting them lowers the marks again. The caller must have locked the memberships first and then the batches.
 * @param range dates to assign; a membership's ranges are assigned one after another
 */
export async function assignRows(tx: Tx, step: AssignStep, { from, until }: DateRange): Promise<Sums> {
  const { scope, payables } = step;
  const { publisherId, groupId, heldAfter, postedBefore } = scope;
  const membershipIds = payables.flatMap((each) => each.membershipIds);
  const recordingIds = payables.flatMap((each) => each.recordingIds);
  const wanted = sql`(${wantedBatches(step)}::jsonb -> m.membership_id::text)`;
  const marks = marksOf(
    scope,
    {
      members: sql`m.membership_id = any(${membershipIds}::uuid[])`,
      currencies: sql`${wanted} ? b.currency`,
    },
    sql`, array_agg((${wanted} ->> b.currency)::uuid) as batch_ids`,
  );
  const within = sql`
    ${from === null ? sql`true` : sql`a.transaction_date >= ${from}`}
    and ${until === null ? sql`true` : sql`a.transaction_date < ${until}`}`;
  const { rows } = await sql<{
    membership_id: MembershipId;
    currency: string;
    n: bigint;
    amount: string;
    assigned: bigint;
  }>`
    with marked as materialized (${marks}),
    -- Hardly any: the plan has checked the recordings from postedBefore on.
    late as materialized (
      select array_agg(recording_id) as ids
      from (${lateRecordings(scope, scope.seenUpTo)}) late
      where recording_id < ${postedBefore}::uuid
    ),
    open as materialized (
      select a.attribution_id, marked.membership_id, a.currency, a.transaction_date, a.share_minor,
             a.share_minor - coalesce(p.reversed_minor, 0) as left_minor, marked.batch_ids[a.place] as batch_id,
             p.reversed_at is null and ${isFree(scope)} and ${isNotReinstatedSince(scope)} and ${isRowUnheld(scope, 'a.attribution_id')}
               and (a.attribution_id < ${postedBefore}::uuid or ${recordingOf('a.attribution_id')} = any(${recordingIds}::uuid[]))
               and ((select ids from late) is null or ${recordingOf('a.attribution_id')} <> all((select ids from late)::uuid[]))
               as is_due
      from ${rowsFromMarks(scope, within)}
      where ${isOpen(scope)}
    ),
    assigned as (
      insert into payment as p (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date,
                                share_minor, payout_batch_id)
      select ${publisherId}, attribution_id, ${groupId}, membership_id, currency, transaction_date, share_minor, batch_id
      from open
      where is_due
      order by attribution_id
      on conflict (publisher_id, attribution_id) do update
        set payout_batch_id = excluded.payout_batch_id
        where p.payout_batch_id is null and p.reversed_at is null
      returning 1
    ),
    seen as materialized (
      select membership_id, currency, count(*) filter (where is_due) as n,
             coalesce(sum(left_minor) filter (where is_due), 0) as amount,
             coalesce(min(transaction_date) filter (where not is_due), ${until ?? heldAfter}) as unpaid_from
      from (
        select membership_id, currency, transaction_date, left_minor, is_due from open
        union all
        select marked.membership_id, each_of.currency, null, null, null
        from marked
        cross join lateral unnest(marked.currencies) as each_of (currency)
      ) every_one
      group by membership_id, currency
    ),
    ${raisingMarks(publisherId, 'seen', from)}
    select membership_id, currency, n, amount::text as amount, (select count(*) from assigned) as assigned
    from seen`.execute(tx);
  const sums = new Sums();
  let count = 0;
  for (const { membership_id, currency, n, amount } of rows) {
    sums.add(membership_id, currency, { count: Number(n), amountMinor: BigInt(amount) });
    count += Number(n);
  }
  if (count !== Number(rows[0]?.assigned ?? 0))
    throw new Error('a payout assigned a different number of rows than it counted');
  return sums;
}

/**
 * Finds the exclusive end of the next range of a membership's rows. The range contains about as many rows as one step
 * can assign, but never splits a date. Returns null when no rows are left.
 */
export async function endOfPart(
  tx: Tx,
  { scope: { publisherId, heldAfter }, payables }: AssignStep,
  { membershipId, from, rows: count }: { membershipId: MembershipId; from: Date | null; rows: number },
): Promise<Date | null> {
  const currencies = payables.map(({ currency }) => currency);
  const rowsOf = (after: ReturnType<typeof sql>) => sql`
    select transaction_date
    from attribution
    where publisher_id = ${publisherId} and membership_id = ${membershipId}::uuid
      and transaction_date <= ${heldAfter} and ${after}
    order by transaction_date, attribution_id`;
  const start = from === null ? sql`(select unpaid_from from mark)` : sql`${from}`;
  const { rows } = await sql<{ until: Date | null }>`
    with mark as materialized (
      select min(unpaid_from) as unpaid_from
      from member_balance
      where publisher_id = ${publisherId} and membership_id = ${membershipId}::uuid and currency = any(${currencies}::text[])
    ),
    first as materialized (${rowsOf(sql`transaction_date >= ${start}`)} limit 1),
    beyond as materialized (${rowsOf(sql`transaction_date >= ${start}`)} offset ${count} limit 1)
    select case
             when beyond.transaction_date > first.transaction_date then beyond.transaction_date
             else (${rowsOf(sql`transaction_date > first.transaction_date`)} limit 1)
           end as until
    from first, beyond`.execute(tx);
  return rows[0]?.until ?? null;
}
