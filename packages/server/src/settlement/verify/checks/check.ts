import type { MembershipId, PostingId } from '../../../platform/database/tables.generated.ts';
import type { Snapshots } from '../snapshots.ts';

/** Number of items compared, and in total. */
export interface Coverage {
  /** Days of groups whose rollups were compared with their rows. */
  days: number;
  ofDays: number;
  payouts: number;
  ofPayouts: number;
  /** Rows read; a row that is read twice counts twice. */
  rows: number;
  /** Ledger entries: all, or those of postings since the last run. */
  entries: number;
  /** Balances; every run compares all of them. */
  balances: number;
}

/** State of the verification of one publisher's ledger. */
export interface Check {
  snapshots: Snapshots;
  publisherId: string;
  /** True to compare all items, even those that are unchanged since an earlier run found them sound. */
  all: boolean;
  /** True to save the items found sound, for the next run. */
  savesProgress: boolean;
  /**
   * Lower ids were compared by an earlier run and are compared again only where their rollups changed; null to compare
   * all.
   */
  rowsBefore: string | null;
  /**
   * The first posting; null while there is none. Rows with a lower id may be older than postings, when each row had a
   * ledger entry of its own.
   */
  firstPosting: PostingId | null;
  coverage: Coverage;
  progress(): void;
}

/** One member's earnings on one day: the smallest unit of comparison between rollups and rows. */
export interface Unit {
  groupId: string;
  day: string;
  membershipId: MembershipId;
  rows: number;
  moves: bigint;
  hasMoved: boolean;
}
