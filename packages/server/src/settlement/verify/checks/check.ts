import type { MembershipId, PostingId } from '../../../platform/database/tables.generated.ts';
import type { Snapshots } from '../snapshots.ts';

/** Counts of compared items, along with the totals. */
export interface Coverage {
  /** Number of days whose rollups were compared with their rows. Each group's days are counted separately. */
  days: number;
  ofDays: number;
  payouts: number;
  ofPayouts: number;
  /** Number of rows read. A row read twice counts twice. */
  rows: number;
  /** Number of ledger entries compared: all of them, or those for postings since the last run. */
  entries: number;
  /** Number of balances, all of which are compared in every run. */
  balances: number;
}

export interface Check {
  snapshots: Snapshots;
  publisherId: string;
  /** True to compare everything, even unchanged items that an earlier run found sound. */
  all: boolean;
  /** True to save the items that were found sound for the next run. */
  savesProgress: boolean;
  /**
   * Id below which an earlier run compared the rows; they are compared again only if their rollups changed. Null to
   * compare all rows.
   */
  rowsBefore: string | null;
  /**
   * First posting; null if there is none. Rows with a lower id may predate postings, when each row had its own ledger
   * entry.
   */
  firstPosting: PostingId | null;
  coverage: Coverage;
  progress(): void;
}

/** One member's earnings on one day: the smallest unit in which rollups and rows are compared. */
export interface Unit {
  groupId: string;
  day: string;
  membershipId: MembershipId;
  rows: number;
  moves: bigint;
  hasMoved: boolean;
}
