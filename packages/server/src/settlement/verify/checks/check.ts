import type { MembershipId, PostingId } from '../../../platform/database/tables.generated.ts';
import type { Snapshots } from '../snapshots.ts';

/** Numbers of items compared, and total numbers of items. */
export interface Coverage {
  /** Number of days, counted per group, whose rollups were compared with their rows. */
  days: number;
  ofDays: number;
  payouts: number;
  ofPayouts: number;
  /** Number of rows read. A row that is read twice counts twice. */
  rows: number;
  /** Number of ledger entries compared: all entries, or the entries for postings since the last run. */
  entries: number;
  /** Number of balances. Every run compares all of them. */
  balances: number;
}

export interface Check {
  snapshots: Snapshots;
  publisherId: string;
  /** True to compare all items, including unchanged items that an earlier run found sound. */
  all: boolean;
  /** True to save which items were found sound, for the next run. */
  savesProgress: boolean;
  /**
   * Id below which an earlier run compared the rows. Those rows are compared again only where their rollups
   * changed; null to compare all rows.
   */
  rowsBefore: string | null;
  /**
   * First posting; null before the first posting. Rows with a lower id may be from before postings existed,
   * when each row had its own ledger entry.
   */
  firstPosting: PostingId | null;
  coverage: Coverage;
  progress(): void;
}

/** Earnings of one member on one day: the smallest unit of comparison between rollups and rows. */
export interface Unit {
  groupId: string;
  day: string;
  membershipId: MembershipId;
  rows: number;
  moves: bigint;
  hasMoved: boolean;
}
