import type { MembershipId, PostingId } from '../../../platform/database/tables.generated.ts';
import type { Snapshots } from '../snapshots.ts';

/** How much was looked at, and of how much. */
export interface Looked {
  /** Days of a group, whose rollups are compared with their rows. */
  days: number;
  ofDays: number;
  payouts: number;
  ofPayouts: number;
  /** Rows read, once for each time. */
  rows: number;
  /** Ledger entries: all of them, or those of what was posted since the last run. */
  entries: number;
  /** All of them, always. */
  balances: number;
}

/** The check of one publisher's ledger, under way. */
export interface Check {
  snapshots: Snapshots;
  publisherId: string;
  /** Looks at what has not moved since it was found sound, too. */
  all: boolean;
  /** Whether what is found sound is written down. */
  keeps: boolean;
  /** Ids below it were looked at by an earlier run, and are looked at again only where their rollups moved; or null. */
  rowsBefore: string | null;
  /**
   * The first posting: rows with an id below it may be of before there were postings, when each had a ledger entry of
   * its own. Null while there is none.
   */
  firstPosting: PostingId | null;
  looked: Looked;
  progress(): void;
}

/** What one member earned on one day: the smallest thing whose rollups are compared with their rows. */
export interface Unit {
  groupId: string;
  day: string;
  membershipId: MembershipId;
  rows: number;
  moves: bigint;
  hasMoved: boolean;
}
