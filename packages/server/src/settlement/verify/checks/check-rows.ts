import { type RawBuilder, sql } from 'kysely';
import { recordingOf } from '../../../attributions/posted.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { RecordingId } from '../../../platform/database/tables.generated.ts';
import type { Check } from './check.ts';
import { checkPostings } from './check-postings.ts';
import { type IdRange, lookUpEntry, lowestId, within } from './look-up.ts';
import { brokenPayments, paymentsOfRange } from './payment-rules.ts';
import { Recordings } from './recordings.ts';
import { brokenRows, rowsOfRange } from './row-rules.ts';
import { type Finding, firstFinding } from './rules.ts';
import { findWrongShare } from './share-rules.ts';
import { strays } from './stray-rules.ts';

export interface RowsResult {
  finding: Finding | null;
  /**
   * Payable row before its member's mark, where no payout would find it. Reported only if no other finding explains the
   * difference.
   */
  unmarked: Finding | null;
}

/**
 * Scans rows, payments, postings and rewards, whose ids share one order. Each record that hasn't been checked by an
 * earlier run must follow all rules and belong to records that exist. Each row must be either unposted or posted
 * exactly once.
 */
export async function checkRows(check: Check): Promise<RowsResult> {
  const { snapshots, publisherId, coverage } = check;
  const recordings = new Recordings();
  let unmarked: Finding | null = null;
  let missingRollup: Finding | null = null;
  for (let from: string | null = check.rowsBefore ?? lowestId; from !== null; ) {
    const start: string = from;
    const piece = await snapshots.read(snapshots.rows, async (tx) => {
      const range = { from: start, to: await endOfPiece(tx, check, start) };
      const found = await checkRange(tx, check, range);
      const { recorded, rows } = await readRecordings(tx, check, range);
      return { ...found, range, recorded, taken: rows };
    });
    unmarked ??= piece.unmarked;
    if (piece.finding?.rule === 'rollup') missingRollup ??= piece.finding;
    else if (piece.finding !== null) return { finding: piece.finding, unmarked };
    recordings.recorded(piece.recorded);
    coverage.rows += piece.taken;
    check.progress();
    const differing = await checkPostings(check, piece.range, recordings);
    if (differing !== null) return { finding: differing, unmarked };
    from = piece.range.to;
  }
  const unposted = await recordings.findUnexplained(snapshots, publisherId);
  return { finding: unposted ?? missingRollup, unmarked };
}

async function checkRange(tx: Tx, check: Check, range: IdRange): Promise<RowsResult> {
  const { publisherId } = check;
  const rows = rowsOfRange(publisherId, range);
  const ofRow = await firstFinding(tx, brokenRows(publisherId, rows, mayPredatePostings(check, range)));
  const isUnmarked = ofRow?.rule === 'mark';
  return {
    finding:
      (isUnmarked ? null : ofRow) ??
      (await findWrongShare(tx, rows)) ??
      (await firstFinding(tx, brokenPayments(publisherId, paymentsOfRange(publisherId, range), false))) ??
      (await firstFinding(tx, strays(publisherId, range))),
    unmarked: isUnmarked ? ofRow : null,
  };
}

/** Returns whether the rows in a range may predate postings. A range never contains both older and newer rows. */
const mayPredatePostings = ({ firstPosting }: Check, { from }: IdRange): boolean =>
  firstPosting === null || from < firstPosting;

/**
 * Returns the exclusive end of a piece, based on the table with the most rows; null after the last piece. A piece never
 * splits a recording: an end within a recording moves to its start or, if the piece starts there, to its end.
 */
async function endOfPiece(tx: Tx, check: Check, from: string): Promise<string | null> {
  const { publisherId, firstPosting, snapshots } = check;
  const size = snapshots.rows.value;
  const nth = (table: string, id: string): RawBuilder<unknown> => sql`(
    select ${sql.ref(id)}
    from ${sql.table(table)}
    where publisher_id = ${publisherId} and ${sql.ref(id)} >= ${from}::uuid
    order by ${sql.ref(id)}
    offset ${size}
    limit 1)`;
  const { rows } = await sql<{ id: string | null; next: string | null }>`
    select ${recordingOf('piece.id')} as id, (
      select attribution_id
      from attribution a
      where a.publisher_id = ${publisherId} and a.attribution_id > (left(piece.id::text, 32) || 'ffff')::uuid
      order by attribution_id
      limit 1
    ) as next
    from (
      select least(
        ${nth('attribution', 'attribution_id')},
        ${nth('payment', 'attribution_id')},
        ${nth('progress_reward', 'progress_reward_id')},
        ${nth('reward_payment', 'progress_reward_id')},
        ${nth('unposted', 'recording_id')}
      ) as id
    ) piece`.execute(tx);
  const end = rows[0]?.id ?? null;
  const cut = end === null || end > from ? end : (rows[0]?.next ?? null);
  const border = firstPosting !== null && from < firstPosting && (cut === null || firstPosting < cut);
  return border ? firstPosting : cut;
}

/** Reads the recordings in a range that must be in a posting or in the queue, skipping those that predate postings. */
async function readRecordings(
  tx: Tx,
  check: Check,
  range: IdRange,
): Promise<{ recorded: RecordingId[]; rows: number }> {
  const { publisherId } = check;
  const mustBePosted = mayPredatePostings(check, range)
    ? sql`not a.is_test and e.subject_id is null`
    : sql`true`;
  const { rows } = await sql<{ ids: RecordingId[] | null; row_count: bigint }>`
    select array_agg(distinct ${recordingOf('a.attribution_id')}) filter (where ${mustBePosted}) as ids,
           count(*) as row_count
    from attribution a
    ${
      mayPredatePostings(check, range)
        ? lookUpEntry(
            publisherId,
            'e',
            { membership: 'a.membership_id', currency: 'a.currency', subject: 'a.attribution_id' },
            'payment',
          )
        : sql``
    }
    where a.publisher_id = ${publisherId} and ${within(sql`a.attribution_id`, range)}`.execute(tx);
  return { recorded: rows[0]?.ids ?? [], rows: Number(rows[0]?.row_count ?? 0) };
}
