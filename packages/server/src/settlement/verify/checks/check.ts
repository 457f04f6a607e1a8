import type { MembershipId, PostingId } from '../../../platform/database/tables.generated.ts';
import type { Snapshots } from '../snapshots.ts';

/** Numbers of items compared, and total numbers of items. */
export interface Coverage {
  /** Days of groups whose rollups were compared with their rows. */
  days: number;
  ofDays: number;
  payouts: number;
  ofPayouts: number;
  /** Rows read; a row that is read twice counts twice. */
  rows: number;
  /** Number of ledger entries: all entries, or the entries of postings since the last run. */
  entries: number;
  /** Balances; every run compares all of them. */
  balances: number;
}

/** State of the verification of one publisher's ledger. */
export interface Check {
  snapshots: Snapshots;
  publisherId: string;
  /** True to compare all items, including unchanged items that an earlier run found sound. */
  all: boolean;
  /** True to save the items found sound, for the next run. */
  savesProgress: boolean;
  /**
   * Id below which an earlier run compared the rows. Those rows are compared again only where their rollups
   * changed; null to compare all rows.
   */
  rowsBefore: string | null;
  /**
   * First posting; null before the first posting. Rows with a lower id may predate postings, when each row had its
   * own ledger entry.
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
