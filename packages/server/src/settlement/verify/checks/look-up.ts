import { type RawBuilder, sql } from 'kysely';
import { recordingOf } from '../../../attributions/posted.ts';
import { maxRowsNamed } from './rules.ts';

export const lowestId = '00000000-0000-0000-0000-000000000000';
export const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Range of ids with an exclusive end. Null means unbounded. */
export interface IdRange {
  from: string;
  to: string | null;
}

export const within = (column: RawBuilder<unknown>, { from, to }: IdRange): RawBuilder<unknown> =>
  to === null ? sql`${column} >= ${from}::uuid` : sql`${column} >= ${from}::uuid and ${column} < ${to}::uuid`;

/** @param recordingId a column */
export const isOfRecording = (row: string, recordingId: string): RawBuilder<unknown> => sql`
  ${sql.ref(`${row}.attribution_id`)} >= ${sql.ref(recordingId)}
  and ${sql.ref(`${row}.attribution_id`)} <= (left(${sql.ref(recordingId)}::text, 32) || 'ffff')::uuid`;

/**
 * Returns an array with the ids of some of a recording's rows; null if it has none.
 * @param recordingId a column
 */
export const sampleRowsOf = (publisherId: string, recordingId: string): RawBuilder<unknown> => sql`(
  select array_agg(attribution_id order by attribution_id)
  from (
    select attribution_id
    from attribution a
    where a.publisher_id = ${publisherId} and ${isOfRecording('a', recordingId)}
    order by attribution_id
    limit ${maxRowsNamed}
  ) first_ones
)`;

/**
 * Joins the matching row from a table, or null, with one lookup per row. Otherwise, PostgreSQL scans the whole table
 * for each row if it expects the table to have few rows, such as in a newly filled database or for the newest ids. A
 * lateral that joins several rows must also be ordered by the index it should use, because a planner that expects no
 * rows estimates the same cost for all indexes.
 */
export const lookUp = (table: string, as: string, fits: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  left join lateral (select * from ${sql.table(table)} where ${fits} limit 1) ${sql.ref(as)} on true`;

export interface EntryKey {
  membership: string;
  currency: string;
  subject: string;
}

export const lookUpEntry = (
  publisherId: string,
  as: string,
  { membership, currency, subject }: EntryKey,
  kind: 'payment' | 'payout' | 'payout-return',
): RawBuilder<unknown> =>
  lookUp(
    'ledger_entry',
    as,
    sql`publisher_id = ${publisherId} and membership_id = ${sql.ref(membership)} and currency = ${sql.ref(currency)}
      and subject_id = ${sql.ref(subject)} and kind = ${kind}`,
  );

/** Joins the ledger entry that reversed a whole row, for any member. There is at most one such entry. */
export const lookUpReversal = (
  publisherId: string,
  as: string,
  row: string,
  onlyIf: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  lookUp(
    'ledger_entry',
    as,
    sql`publisher_id = ${publisherId} and subject_id = ${sql.ref(row)} and kind in ('refund', 'adjustment')
      and ${onlyIf}`,
  );

/**
 * Joins the queue entry for a row's recording. A recording stays in the queue until its rows are posted
 * (attributions/posted.ts).
 */
export const lookUpWaiting = (
  publisherId: string,
  as: string,
  row: string,
  onlyIf: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> =>
  lookUp(
    'unposted',
    as,
    sql`publisher_id = ${publisherId} and recording_id = ${recordingOf(row)} and ${onlyIf}`,
  );

/**
 * Joins the sums of the amounts taken back from a row, according to the refund records and to their ledger entries. The
 * sums are null for a row without parts. A record that took back the whole row has an entry for the row itself.
 * @param row a payment
 */
export const lookUpParts = (
  publisherId: string,
  as: string,
  row: string,
  onlyIf: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  left join lateral (
    select sum(r.gross_minor) as gross_minor, sum(r.share_minor) as share_minor, max(r.created_at) as last_at,
           count(e.kind) as entry_count,
           bool_and((e.amount_minor, e.membership_id, e.currency)
                    is not distinct from (-r.share_minor::numeric, ${sql.ref(row)}.membership_id, ${sql.ref(row)}.currency))
             as have_entries,
           bool_and((e.kind = 'adjustment') is not distinct from (c.refund_id is not null)
                    and (c.refund_id is null
                         or (c.attribution_id, c.amount_minor, c.membership_id, c.currency)
                           = (${sql.ref(row)}.attribution_id, r.share_minor, ${sql.ref(row)}.membership_id, ${sql.ref(row)}.currency)))
             as have_clawbacks
    from (
      select refund_id, coalesce(gross_minor, ${sql.ref(row)}.subtotal_minor) as gross_minor,
             coalesce(share_minor, ${sql.ref(row)}.share_minor) as share_minor, created_at,
             case when gross_minor is null then attribution_id else refund_id end as subject_id
      from refund_record
      where publisher_id = ${publisherId} and attribution_id = ${sql.ref(row)}.attribution_id
        and reverses_money and ${onlyIf}
      order by attribution_id, refund_id
      offset 0
    ) r
    ${lookUp('ledger_entry', 'e', sql`publisher_id = ${publisherId} and subject_id = r.subject_id and kind in ('refund', 'adjustment')`)}
    ${lookUp('clawback', 'c', sql`publisher_id = ${publisherId} and refund_id = r.refund_id`)}
  ) ${sql.ref(as)} on true`;

/**
 * Joins the sums of the amounts that reinstatements gave back for a row; zero for a row without parts. An amount is
 * owed again if it was given back after the row's payout `b` was computed.
 * @param row a payment
 */
export const lookUpReinstated = (
  publisherId: string,
  as: string,
  row: string,
  onlyIf: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  left join lateral (
    select coalesce(sum(i.gross_minor), 0) as gross_minor, coalesce(sum(i.share_minor), 0) as share_minor,
           max(i.created_at) filter (where i.gross_minor > 0) as last_at, count(e.kind) as entry_count,
           bool_and(r.attribution_id is not distinct from i.attribution_id) is not false as have_records,
           bool_and(case when i.gross_minor = 0 then e.kind is null
                         else (e.amount_minor, e.kind) is not distinct from (i.share_minor::numeric, 'reinstatement') end)
             is not false as have_entries,
           bool_and((i.share_minor > 0 and i.created_at > b.as_of) is true = (j.reinstatement_id is not null)
                    and (j.reinstatement_id is null
                         or (j.attribution_id, j.amount_minor, j.membership_id, j.currency, j.group_id)
                           = (i.attribution_id, i.share_minor, ${sql.ref(row)}.membership_id, ${sql.ref(row)}.currency, ${sql.ref(row)}.group_id)))
             is not false as have_adjustments
    from (
      select *
      from reinstatement
      where publisher_id = ${publisherId} and attribution_id = ${sql.ref(row)}.attribution_id and ${onlyIf}
      order by attribution_id, reinstatement_id
      offset 0
    ) i
    ${lookUp('refund_record', 'r', sql`publisher_id = ${publisherId} and refund_id = i.refund_id`)}
    ${lookUp(
      'ledger_entry',
      'e',
      sql`publisher_id = ${publisherId} and membership_id = ${sql.ref(row)}.membership_id
        and currency = ${sql.ref(row)}.currency and subject_id = i.reinstatement_id and kind = 'reinstatement'`,
    )}
    ${lookUp('reinstatement_adjustment', 'j', sql`publisher_id = ${publisherId} and reinstatement_id = i.reinstatement_id`)}
  ) ${sql.ref(as)} on true`;
