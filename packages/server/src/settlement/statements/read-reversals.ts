import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { aheadMsAt, laterBy } from '../../publishers/publisher-time.ts';
import { isOtherIn } from '../payouts/month/entries-of-month.ts';
import { readByKey } from '../payouts/month/read-by-key.ts';
import { type PurchaseRow, purchaseColumns, toArithmetic } from './purchase-of-line.ts';
import type { LinesOf } from './read-earned.ts';
import type { StatementLine } from './statement-line.ts';

const entriesPerRead = 500;
const kinds = { reversed: 'refund', clawedBack: 'adjustment', reinstated: 'reinstatement' } as const;

/** Yields what was taken back from a member in a month, or given back, in order of time, a page at a time. */
export async function* readReversals(
  db: Db,
  lines: LinesOf,
  kind: keyof typeof kinds,
): AsyncGenerator<StatementLine[]> {
  for (let after: Place | null = null; ; ) {
    const from: Place | null = after;
    const rows: Row[] = await lines.separately(() => readByKey(db, pageQuery(lines, kinds[kind], from)));
    yield rows.map((row) => ({
      kind,
      at: laterBy(row.created_at, Number(row.ahead_ms)),
      rowId: row.attribution_id,
      amountMinor: BigInt(row.amount),
      purchase: isFound(row) ? toArithmetic(row) : null,
    }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < entriesPerRead) return;
    after = { place: last.place, subjectId: last.subject_id };
  }
}

interface Place {
  /** Time in microseconds. */
  place: string;
  subjectId: string;
}

type Row = { subject_id: string; amount: string; created_at: Date; ahead_ms: bigint; place: string } & (
  | PurchaseRow
  | { attribution_id: null }
);

const isFound = (row: Row): row is Row & PurchaseRow => row.attribution_id !== null;

/** The subject of an entry is the row, or the record of what was taken back or given back of it. */
function pageQuery(
  { statement, membershipId }: LinesOf,
  kind: (typeof kinds)[keyof typeof kinds],
  after: Place | null,
): RawBuilder<Row> {
  const { publisherId, currency, entriesFrom, entriesBefore } = statement;
  const inMonth = isOtherIn({
    membershipId: sql`${membershipId}::uuid`,
    currency: sql`${currency}`,
    from: entriesFrom,
    before: entriesBefore,
  });
  const record = (table: 'refund_record' | 'reinstatement', id: 'refund_id' | 'reinstatement_id') => sql`
    select attribution_id from ${sql.table(table)} where publisher_id = ${publisherId} and ${sql.ref(id)} = e.subject_id`;
  const rowOf =
    kind === 'reinstatement'
      ? record('reinstatement', 'reinstatement_id')
      : sql`select coalesce((${record('refund_record', 'refund_id')}), e.subject_id) as attribution_id`;
  return sql<Row>`
    select e.subject_id, e.amount_minor::text as amount, e.created_at, e.created_at::text as place,
           ${aheadMsAt(publisherId, sql`e.created_at`)} as ahead_ms, ${purchaseColumns}
    from (
      select e.subject_id, e.amount_minor, e.created_at
      from ledger_entry e
      where e.publisher_id = ${publisherId} and ${inMonth} and e.kind = ${kind}
        ${after === null ? sql`` : sql`and (e.created_at, e.subject_id) > (${after.place}::timestamptz, ${after.subjectId}::uuid)`}
      order by e.created_at, e.subject_id
      limit ${entriesPerRead}
    ) e
    left join lateral (${rowOf}) named on true
    left join lateral (
      select *
      from attribution
      where publisher_id = ${publisherId} and attribution_id = named.attribution_id
      offset 0
    ) a on true
    order by e.created_at, e.subject_id`;
}
