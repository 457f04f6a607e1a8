import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { PostingId } from '../../platform/database/tables.generated.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';
import type { Check, Looked } from './checks/check.ts';
import { checkDays } from './checks/check-days.ts';
import { checkMembers } from './checks/check-members.ts';
import { checkPayouts } from './checks/check-payouts.ts';
import { checkRows } from './checks/check-rows.ts';
import { type Finding, rules } from './checks/rules.ts';
import { forget, forgetSound, keepSound, nextRowsBefore, readKept } from './kept.ts';
import { rowsToRead } from './rows-to-read.ts';
import { type PieceLimits, pieceLimits, Snapshots } from './snapshots.ts';

export interface VerifyOptions {
  /** One publisher, or null for all of them. */
  publisherId: string | null;
  /** Looks at what has not moved since it was found sound, too. */
  all: boolean;
  /** Whether what is found sound is written down, for the next run. */
  keeps: boolean;
  /** How large a piece is; as large as costs nobody anything when absent. */
  limits?: PieceLimits;
  /** Called after each piece, some milliseconds after the one before. What it throws ends the run. */
  onProgress?(progress: Progress): void;
}

/** How far a run is. */
export interface Progress {
  publisherId: string;
  /** Which publisher of how many. */
  publisher: number;
  ofPublishers: number;
  /** Rows read of this publisher, each as often as it is read, and how many it will be if nothing more moves. */
  rows: number;
  ofRows: number;
}

/** The first that is not explained, or none, and what was looked at. */
export type LedgerVerdict =
  | ({ isSound: true; publishers: number } & Looked)
  | {
      isSound: false;
      rule: string;
      publisherId: string;
      /** The row, or the sum of rows, that is not explained. */
      row: string;
      /** Of a sum, some of the rows that it is of. */
      rows: readonly string[];
    };

/** Proves on a live database that every balance is explained, by looking at everything; writes nothing. */
export const verifyLedger = (db: Db): Promise<LedgerVerdict> =>
  verifyLedgerSince(db, { publisherId: null, all: true, keeps: false });

/**
 * Proves on a live database that every balance is explained: publisher by publisher, in pieces that each see one
 * moment, by what has moved since it was last found sound, or by everything. Locks nobody out
 * (docs/adr/0019-ledger-verify.md).
 * @throws Refusal when there is no such publisher
 */
export async function verifyLedgerSince(db: Db, options: VerifyOptions): Promise<LedgerVerdict> {
  const { publisherId } = options;
  if (publisherId !== null) await requirePublisher(db, publisherId);
  const publisherIds = publisherId === null ? await publishersOf(db) : [publisherId];
  const looked: Looked = { days: 0, ofDays: 0, payouts: 0, ofPayouts: 0, rows: 0, entries: 0, balances: 0 };
  const snapshots = new Snapshots(db, options.limits ?? pieceLimits);
  try {
    return await verifyPublishers(db, options, { publisherIds, looked, snapshots });
  } catch (error) {
    await snapshots.drop();
    throw error;
  }
}

async function verifyPublishers(
  db: Db,
  options: VerifyOptions,
  {
    publisherIds,
    looked,
    snapshots,
  }: { publisherIds: readonly string[]; looked: Looked; snapshots: Snapshots },
): Promise<LedgerVerdict> {
  const { onProgress } = options;
  for (const [index, each] of publisherIds.entries()) {
    const before = looked.rows;
    const place = { publisherId: each, publisher: index + 1, ofPublishers: publisherIds.length };
    const tell =
      onProgress && ((ofRows: number) => onProgress({ ...place, rows: looked.rows - before, ofRows }));
    const finding = await verifyPublisher({ ...options, publisherId: each, looked, snapshots }, tell);
    if (finding === null) continue;
    await snapshots.leave();
    if (options.keeps) await forget(db, each);
    const { rule, row, rows = [] } = finding;
    return { isSound: false, rule: rules[rule], publisherId: each, row, rows };
  }
  await snapshots.leave();
  return { isSound: true, publishers: publisherIds.length, ...looked };
}

/**
 * In this order: what is posted or goes back after its day was compared moves that day, and is looked at by the next run,
 * so rows may be walked later but not earlier. A difference of sums is told only when no row explains it.
 */
async function verifyPublisher(
  options: Omit<Check, 'rowsBefore' | 'firstPosting' | 'progress'>,
  tell: ((ofRows: number) => void) | undefined,
): Promise<Finding | null> {
  const { snapshots, publisherId, all, keeps } = options;
  const { kept, rowsBefore, firstPosting } = await snapshots.read(snapshots.rows, async (tx) => ({
    kept: all ? null : await readKept(tx, publisherId),
    rowsBefore: keeps ? await nextRowsBefore(tx, publisherId) : null,
    firstPosting: await readFirstPosting(tx, publisherId),
    taken: 0,
  }));
  // Should this run be cut short, the next one walks through all rows: days that agreed are not compared again.
  if (all && keeps) snapshots.later((db) => forgetSound(db, publisherId));
  const check: Check = {
    ...options,
    rowsBefore: kept?.rowsBefore ?? null,
    firstPosting,
    progress: () => undefined,
  };
  if (tell !== undefined) {
    const ofRows = await rowsToRead(check);
    check.progress = () => tell(ofRows);
    check.progress();
  }
  const ofDays = await checkDays(check);
  const ofRows = await checkRows(check);
  const finding =
    ofRows.finding ?? ofDays ?? (await checkPayouts(check)) ?? ofRows.unmarked ?? (await checkMembers(check));
  if (finding === null && rowsBefore !== null)
    snapshots.later((db) => keepSound(db, publisherId, rowsBefore, check.rowsBefore === null));
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

const tablesOfMoney = [
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

/** Those that there are, and any that money or rows name all the same. */
async function publishersOf(db: Db): Promise<string[]> {
  const found = new Set<string>();
  for (const table of tablesOfMoney) {
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
