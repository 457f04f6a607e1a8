import { type RawBuilder, sql } from 'kysely';
import { recordingOf } from '../../../attributions/posted.ts';
import { rowsNamed } from './rules.ts';

/** Below and above all ids. */
export const lowestId = '00000000-0000-0000-0000-000000000000';
export const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** A range of ids, the first included and the last not; a null one has no end. */
export interface IdRange {
  from: string;
  to: string | null;
}

export const within = (column: RawBuilder<unknown>, { from, to }: IdRange): RawBuilder<unknown> =>
  to === null ? sql`${column} >= ${from}::uuid` : sql`${column} >= ${from}::uuid and ${column} < ${to}::uuid`;

/** Whether an attribution is of a recording. @param recordingId a column */
export const isOfRecording = (row: string, recordingId: string): RawBuilder<unknown> => sql`
  ${sql.ref(`${row}.attribution_id`)} >= ${sql.ref(recordingId)}
  and ${sql.ref(`${row}.attribution_id`)} <= (left(${sql.ref(recordingId)}::text, 32) || 'ffff')::uuid`;

/** Some rows of a recording, as an array of their ids; null when it has none. @param recordingId a column */
export const someRowsOf = (publisherId: string, recordingId: string): RawBuilder<unknown> => sql`(
  select array_agg(attribution_id order by attribution_id)
  from (
    select attribution_id
    from attribution a
    where a.publisher_id = ${publisherId} and ${isOfRecording('a', recordingId)}
    order by attribution_id
    limit ${rowsNamed}
  ) first_ones
)`;

/**
 * Joins the one row of a table that fits, or nothing, by looking it up for each. Left to itself, PostgreSQL reads all
 * rows of the kind again for each where it expects few: on a database just filled, and for the newest ids. What joins
 * several rows says in which order, which is that of the index to read: where the planner expects nothing, one index is
 * as good to it as another.
 */
export const lookUp = (table: string, as: string, fits: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  left join lateral (select * from ${sql.table(table)} where ${fits} limit 1) ${sql.ref(as)} on true`;

/** Whose a ledger entry is, and of what, as columns. */
export interface EntryKey {
  membership: string;
  currency: string;
  subject: string;
}

/** Looks up a member's ledger entry of a subject. */
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

/** Looks up the ledger entry that took the money of a row back, whosever it is: there is one at most. */
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

/** Looks up what a row waits in, which is there exactly as long as it is not posted (attributions/posted.ts). */
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
