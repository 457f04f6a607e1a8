import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { AccountId, MembershipId, PayeeMethodId } from '../../../platform/database/tables.generated.ts';
import { PieceSize } from '../../verify/snapshots.ts';
import { readByKey } from '../month/read-by-key.ts';
import type { Separately } from '../month/read-statements.ts';
import { paymentOf } from '../results/result.ts';
import type { YearSpan } from './year-span.ts';

/** Payments to a creator in one currency during a year, and payments that came back during it. */
export interface YearPayments {
  memberId: AccountId;
  name: string;
  currency: string;
  /** Payout methods of these payments. Some lines don't have one. */
  methodIds: PayeeMethodId[];
  paymentCount: number;
  paidMinor: bigint;
  returnCount: number;
  returnedMinor: bigint;
}

const noMembership = '00000000-0000-0000-0000-000000000000';
const maxCreatorsPerRead = 1_000;

/**
 * Yields the payments of a year by creator, a page of creators at a time. A line belongs to the creator it was created
 * for, even if the member was merged into another one later.
 */
export async function* readYearPayments(
  db: Db,
  span: YearSpan,
  separately: Separately,
): AsyncGenerator<YearPayments[]> {
  const size = new PieceSize(1, maxCreatorsPerRead);
  for (let after: string = noMembership; ; ) {
    const startedAt = performance.now();
    const limit = size.value;
    const rows: Row[] = await separately(() => readByKey(db, pageQuery(span, after, limit)));
    const last = rows.at(-1);
    if (last === undefined) return;
    const creatorCount = new Set(rows.map(({ membership_id }) => membership_id)).size;
    size.adjust(creatorCount, performance.now() - startedAt);
    yield rows.flatMap(toPayments);
    if (creatorCount < limit) return;
    after = last.membership_id;
  }
}

interface Row {
  membership_id: MembershipId;
  account_id: AccountId;
  name: string;
  /** Null for a creator without lines, as are the other columns. */
  currency: string | null;
  method_ids: PayeeMethodId[] | null;
  payments: bigint;
  paid: string;
  returns: bigint;
  returned: string;
}

/** Builds the query of a page. Creators are ordered by their first membership, which never changes. */
function pageQuery({ publisherId, from, until }: YearSpan, after: string, limit: number): RawBuilder<Row> {
  const isInYear = (at: RawBuilder<unknown>): RawBuilder<boolean> =>
    sql`(${at} >= ${from} and ${at} < ${until})`;
  const isPaid = isInYear(sql`payment.paid_at`);
  // Money that came back before it counted as paid is in neither sum.
  const isReturned = sql`(payment.paid_at is not null and ${isInYear(sql`payment.returned_at`)})`;
  return sql<Row>`
    select p.membership_id, p.account_id, a.name, l.currency, l.method_ids, l.payments, l.paid, l.returns, l.returned
    from (
      select m.membership_id, m.account_id
      from membership m
      where m.publisher_id = ${publisherId} and m.membership_id > ${after}::uuid
        and not exists (
          select 1
          from membership earlier
          where earlier.publisher_id = ${publisherId} and earlier.account_id = m.account_id
            and earlier.membership_id < m.membership_id)
      order by m.membership_id
      limit ${limit}
    ) p
    join creator_account a on a.account_id = p.account_id
    left join lateral (
      select b.currency, array_agg(distinct i.method_id) filter (where i.method_id is not null) as method_ids,
             count(*) filter (where ${isPaid}) as payments,
             coalesce(sum(i.amount_minor) filter (where ${isPaid}), 0)::text as paid,
             count(*) filter (where ${isReturned}) as returns,
             coalesce(sum(i.amount_minor) filter (where ${isReturned}), 0)::text as returned
      from membership own
      join payout_item i on i.publisher_id = ${publisherId} and i.membership_id = own.membership_id
      join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = i.batch_id
      cross join lateral (${paymentOf(publisherId, { item: 'i', batch: 'b' })}) payment
      where own.publisher_id = ${publisherId} and own.account_id = p.account_id and (${isPaid} or ${isReturned})
      group by b.currency
      offset 0
    ) l on true
    order by p.membership_id, l.currency`;
}

/** @returns an empty list for a creator without payments and returns in the year */
const toPayments = (row: Row): YearPayments[] =>
  row.currency === null
    ? []
    : [
        {
          memberId: row.account_id,
          name: row.name,
          currency: row.currency,
          methodIds: row.method_ids ?? [],
          paymentCount: Number(row.payments),
          paidMinor: BigInt(row.paid),
          returnCount: Number(row.returns),
          returnedMinor: BigInt(row.returned),
        },
      ];
