import { sql } from 'kysely';
import { recordingOf } from '../../../attributions/posted.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { MembershipId, PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import { raisingMarks } from '../../ledger.ts';
import type { PlannedPayable } from './payable.ts';
import type { PayoutScope } from './payout-scope.ts';
import { isFree, isOpen, lateRecordings, marksOf, rowsFromMarks } from './unpaid-rows.ts';

/** What is stamped: rows of members, each with the batch of its currency. */
export interface StampStep {
  scope: PayoutScope;
  /** By currency. */
  batchIds: ReadonlyMap<string, PayoutBatchId>;
  payables: readonly PlannedPayable[];
}

/** From a date on, and up to before another; null for the mark, and for the end of the hold period. */
export interface DateRange {
  from: Date | null;
  until: Date | null;
}

/** Rows and their sum. */
export interface Stamped {
  count: number;
  amountMinor: bigint;
}

const none: Stamped = { count: 0, amountMinor: 0n };

/** By membership and currency. */
export class Sums {
  readonly #sums = new Map<string, Stamped>();

  add(membershipId: MembershipId, currency: string, its: Stamped): void {
    this.#add(`${membershipId} ${currency}`, its);
  }

  addAll(others: Sums): void {
    for (const [key, its] of others.#sums) this.#add(key, its);
  }

  of(membershipId: MembershipId, currency: string): Stamped {
    return this.#sums.get(`${membershipId} ${currency}`) ?? none;
  }

  #add(key: string, { count, amountMinor }: Stamped): void {
    const before = this.#sums.get(key) ?? none;
    this.#sums.set(key, { count: before.count + count, amountMinor: before.amountMinor + amountMinor });
  }
}

/** The batch of each membership and currency that is stamped, as JSON, which looks them up by key. */
export function wantedBatches({ batchIds, payables }: StampStep): string {
  const wanted: Record<string, Record<string, string | undefined>> = {};
  for (const { membershipIds, currency } of payables)
    for (const id of membershipIds) wanted[id] = { ...wanted[id], [currency]: batchIds.get(currency) };
  return JSON.stringify(wanted);
}

/**
 * Stamps the purchases of some members that were payable at the moment and still are, with what is not stored of their
 * payments yet, and raises the marks behind them: to the earliest that is not stamped, and was not reversed then. What
 * was posted since the moment, or is not yet, is left: posting lowers the mark to it.
 * The caller has locked the memberships, and then the batches.
 * @param range of dates; of one membership the ranges are stamped one after another
 */
export async function stampRows(tx: Tx, step: StampStep, { from, until }: DateRange): Promise<Sums> {
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
    stamped: bigint;
  }>`
    with marked as materialized (${marks}),
    -- Next to none: those after it are judged by the plan.
    late as materialized (
      select array_agg(recording_id) as ids
      from (${lateRecordings(scope, scope.seenUpTo)}) late
      where recording_id < ${postedBefore}::uuid
    ),
    open as materialized (
      select a.attribution_id, marked.membership_id, a.currency, a.transaction_date, a.share_minor,
             marked.batch_ids[a.place] as batch_id,
             p.reversed_at is null and ${isFree(scope)}
               and (a.attribution_id < ${postedBefore}::uuid or ${recordingOf('a.attribution_id')} = any(${recordingIds}::uuid[]))
               and ((select ids from late) is null or ${recordingOf('a.attribution_id')} <> all((select ids from late)::uuid[]))
               as is_due
      from ${rowsFromMarks(scope, within)}
      where ${isOpen(scope)}
    ),
    stamped as (
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
             coalesce(sum(share_minor) filter (where is_due), 0) as amount,
             coalesce(min(transaction_date) filter (where not is_due), ${until ?? heldAfter}) as unpaid_from
      from (
        select membership_id, currency, transaction_date, share_minor, is_due from open
        union all
        select marked.membership_id, each_of.currency, null, null, null
        from marked
        cross join lateral unnest(marked.currencies) as each_of (currency)
      ) every_one
      group by membership_id, currency
    ),
    ${raisingMarks(publisherId, 'seen', from)}
    select membership_id, currency, n, amount::text as amount, (select count(*) from stamped) as stamped
    from seen`.execute(tx);
  const sums = new Sums();
  let count = 0;
  for (const { membership_id, currency, n, amount } of rows) {
    sums.add(membership_id, currency, { count: Number(n), amountMinor: BigInt(amount) });
    count += Number(n);
  }
  if (count !== Number(rows[0]?.stamped ?? 0)) throw new Error('a payout stamped other rows than it counted');
  return sums;
}

/**
 * Where the next rows of a membership end that one step takes: a date before which there are about so many of them, and
 * at least those of one date. Null where no more are left.
 */
export async function endOfPart(
  tx: Tx,
  { scope: { publisherId, heldAfter }, payables }: StampStep,
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
