import { type RawBuilder, sql } from 'kysely';
import { recordingOf } from '../../../attributions/posted.ts';
import { maxRowsNamed } from './rules.ts';

export const lowestId = '00000000-0000-0000-0000-000000000000';
export const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Range of ids. The end is exclusive; null means unbounded. */
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
 * Returns the ids of some rows in a recording, as an array; null if the recording has no rows.
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
 * Joins the matching row from a table, or null, with one lookup per row. Without this form, PostgreSQL scans
 * all rows of the table for each row wherever it expects few rows, such as in a newly filled database or for
 * the newest ids. Laterals that join several rows need an explicit order that matches the index to use,
 * because a planner that expects no rows estimates the same cost for all indexes.
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

/** Joins the ledger entry that reversed a row, for any member. There is at most one such entry. */
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
 * Joins the queue entry for a row's recording. A recording is in the queue as long as its rows are unposted
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
