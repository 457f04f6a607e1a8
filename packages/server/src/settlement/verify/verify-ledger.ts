import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { PostingId } from '../../platform/database/tables.generated.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';
import {
  deleteCheckpoint,
  deleteProgress,
  nextRowsBefore,
  readCheckpoint,
  saveCheckpoint,
} from './checkpoint.ts';
import type { Check, Coverage } from './checks/check.ts';
import { checkDays } from './checks/check-days.ts';
import { checkMembers } from './checks/check-members.ts';
import { checkPayouts } from './checks/check-payouts.ts';
import { checkRows } from './checks/check-rows.ts';
import { checkStatements } from './checks/check-statements.ts';
import { type Finding, rules } from './checks/rules.ts';
import { rowsToRead } from './rows-to-read.ts';
import { type PieceLimits, pieceLimits, Snapshots } from './snapshots.ts';

export interface VerifyOptions {
  /** Null for all publishers. */
  publisherId: string | null;
  /** True to compare everything, even unchanged items that an earlier run found sound. */
  all: boolean;
  /** True to save the items that were found sound for the next run. */
  savesProgress: boolean;
  /** Limits for a piece. The defaults are small enough not to slow down other work. */
  limits?: PieceLimits;
  /** Called after each piece, every few milliseconds. To end the run, throw an error. */
  onProgress?(progress: Progress): void;
}

export interface Progress {
  publisherId: string;
  /** Position of the current publisher, starting at 1. */
  publisher: number;
  ofPublishers: number;
  /** Number of rows read for this publisher, counting repeated reads, and the estimated total. */
  rows: number;
  ofRows: number;
}

export type LedgerVerdict =
  | ({ isSound: true; publishers: number } & Coverage)
  | {
      isSound: false;
      rule: string;
      publisherId: string;
      /** Row or sum that breaks a rule. */
      row: string;
      /** Some of the rows behind a sum. */
      rows: readonly string[];
    };

/** Verifies every balance in a live database by comparing everything, without writing anything. */
export const verifyLedger = (db: Db): Promise<LedgerVerdict> =>
  verifyLedgerSince(db, { publisherId: null, all: true, savesProgress: false });

/**
 * Verifies every balance in a live database, one publisher at a time, in pieces that each see one snapshot. Compares
 * either all data or only data that has changed since an earlier run found it sound. Doesn't take any locks
 * (docs/adr/0019-ledger-verify.md).
 * @throws Refusal when the publisher does not exist
 */
export async function verifyLedgerSince(db: Db, options: VerifyOptions): Promise<LedgerVerdict> {
  const { publisherId } = options;
  if (publisherId !== null) await requirePublisher(db, publisherId);
  const publisherIds = publisherId === null ? await publishersOf(db) : [publisherId];
  const coverage: Coverage = {
    days: 0,
    ofDays: 0,
    payouts: 0,
    ofPayouts: 0,
    rows: 0,
    entries: 0,
    balances: 0,
  };
  const snapshots = new Snapshots(db, options.limits ?? pieceLimits);
  try {
    return await verifyPublishers(db, options, { publisherIds, coverage, snapshots });
  } catch (error) {
    await snapshots.abort();
    throw error;
  }
}

async function verifyPublishers(
  db: Db,
  options: VerifyOptions,
  {
    publisherIds,
    coverage,
    snapshots,
  }: { publisherIds: readonly string[]; coverage: Coverage; snapshots: Snapshots },
): Promise<LedgerVerdict> {
  const { onProgress } = options;
  for (const [index, each] of publisherIds.entries()) {
    const before = coverage.rows;
    const place = { publisherId: each, publisher: index + 1, ofPublishers: publisherIds.length };
    const report =
      onProgress && ((ofRows: number) => onProgress({ ...place, rows: coverage.rows - before, ofRows }));
    const finding = await verifyPublisher({ ...options, publisherId: each, coverage, snapshots }, report);
    if (finding === null) continue;
    await snapshots.close();
    if (options.savesProgress) await deleteProgress(db, each);
    const { rule, row, rows = [] } = finding;
    return { isSound: false, rule: rules[rule], publisherId: each, row, rows };
  }
  await snapshots.close();
  return { isSound: true, publishers: publisherIds.length, ...coverage };
}

/**
 * Verifies one publisher. Rows must be read after days are compared: a row that is posted or reversed in between
 * changes its day, so the next run compares that day again. A difference between sums is reported only if no row
 * explains it.
 */
async function verifyPublisher(
  options: Omit<Check, 'rowsBefore' | 'firstPosting' | 'progress'>,
  report: ((ofRows: number) => void) | undefined,
): Promise<Finding | null> {
  const { snapshots, publisherId, all, savesProgress } = options;
  const { checkpoint, rowsBefore, firstPosting } = await snapshots.read(snapshots.rows, async (tx) => ({
    checkpoint: all ? null : await readCheckpoint(tx, publisherId),
    rowsBefore: savesProgress ? await nextRowsBefore(tx, publisherId) : null,
    firstPosting: await readFirstPosting(tx, publisherId),
    taken: 0,
  }));
  // If this run is interrupted, the next one scans all rows again but skips the days that agreed.
  if (all && savesProgress) snapshots.afterSnapshot((db) => deleteCheckpoint(db, publisherId));
  const check: Check = {
    ...options,
    rowsBefore: checkpoint?.rowsBefore ?? null,
    firstPosting,
    progress: () => undefined,
  };
  if (report !== undefined) {
    const ofRows = await rowsToRead(check);
    check.progress = () => report(ofRows);
    check.progress();
  }
  const ofDays = await checkDays(check);
  const ofRows = await checkRows(check);
  const finding =
    ofRows.finding ??
    ofDays ??
    (await checkPayouts(check)) ??
    ofRows.unmarked ??
    (await checkMembers(check)) ??
    (await checkStatements(check));
  if (finding === null && rowsBefore !== null)
    snapshots.afterSnapshot((db) => saveCheckpoint(db, publisherId, rowsBefore, check.rowsBefore === null));
  return finding;
}

async function readFirstPosting(tx: Tx, publisherId: string): Promise<PostingId | null> {
  const first = await tx
    .selectFrom('posting')
    .select('posting_id')
    .where('publisher_id', '=', publisherId)
    .orderBy('posting_id')
    .limit(1)
    .executeTakeFirst();
  return first?.posting_id ?? null;
}

const publisherTables = [
  'publisher',
  'attribution',
  'unposted',
  'posting',
  'payment',
  'ledger_entry',
  'member_balance',
  'earning_rollup',
  'group_rollup',
  'transaction_count',
  'credited_code',
] as const;

/** Lists the ids of all publishers, even those that appear only in rows or amounts. */
async function publishersOf(db: Db): Promise<string[]> {
  const found = new Set<string>();
  for (const table of publisherTables) {
    for (let after = ''; ; ) {
      const { rows } = await sql<{ publisher_id: string }>`
        select publisher_id
        from ${sql.table(table)}
        where publisher_id > ${after}
        order by publisher_id
        limit 1`.execute(db);
      const [next] = rows;
      if (next === undefined) break;
      found.add(next.publisher_id);
      after = next.publisher_id;
    }
  }
  return [...found].sort();
}
