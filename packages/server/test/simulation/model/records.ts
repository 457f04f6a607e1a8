import type { PayoutBatchId, ScheduleId } from '../../../src/platform/database/tables.generated.ts';

export type Reversal = 'Refund' | 'Fraud' | 'Chargeback';
export type Result = 'Sent' | 'Paid' | 'Failed' | 'Returned';

/** Shares in millionths. Member 0 has the tier; the others have none. */
export interface Shares {
  group: number;
  tier: number;
  sku: number;
}

export interface Schedule {
  id: ScheduleId;
  startsAt: number;
  endsAt: number;
  group: number | null;
  tier: number | null;
}

export interface Entry {
  member: number;
  /** Code that was sent. A claimed member's code credits its claimer. */
  code: string;
  subtotal: bigint;
  currency: string;
  /** In milliseconds since the epoch. */
  date: number;
  sent: number | null;
  hasSku: boolean;
  isTest: boolean;
}

export interface Row extends Entry {
  id: string;
  /** In millionths, as of recording. */
  share: number;
  amount: bigint;
  status: string;
  /** True once balances and sums include the row, and its share is shown. */
  isPosted: boolean;
  /** True if nothing is left of the row. */
  isReversed: boolean;
  /** Part of the subtotal that was refunded. */
  refunded: bigint;
  /** Part of the amount that was taken back. */
  taken: bigint;
  refundRecords: number;
  /** Records that took the row's money back, oldest first. */
  takings: { from: Taking; isWhole: boolean; gross: bigint }[];
  /** Number of reinstatements that gave something back. */
  reinstatements: number;
  batch: Batch | null;
  /** Open hold, which keeps the row out of payouts; null if there is none. */
  hold: string | null;
}

export interface Batch {
  /** Id that the service assigned; null until it is known. */
  id: PayoutBatchId | null;
  currency: string;
  status: 'Created' | 'Paid' | 'Cancelled';
  total: bigint;
  rows: number;
  /** Amounts by member. */
  items: Map<number, bigint>;
  /** Results of members' lines, for the lines that have their own. */
  results: Map<number, Result>;
  /** Preview from which the batch was created. */
  preview: Preview;
  /** Members who are paid less than the preview showed. */
  reductions: Fall[];
  /** Payout methods of members' lines. */
  methods: Map<number, string>;
}

/** Currency, member, amount in the preview, and amount paid. */
export type Fall = [string, number, bigint, bigint];

/** Refund, status change or clawback, which can be reinstated. */
export interface Taking {
  source: 'Refund' | 'StatusChange' | 'Clawback';
  /** Id of a refund; null if the service assigns it. */
  refundId: string | null;
  purchase: readonly Row[];
  rows: Set<Row>;
  action: Reversal;
  isReinstated: boolean;
}

/** Reinstated share of a row that was paid. */
export interface GivenBack {
  row: Row;
  amount: bigint;
  batch: Batch | null;
}

/** Amount of a line that failed or was returned. */
export interface Comeback {
  from: Batch;
  member: number;
  amount: bigint;
  /** Batch that pays the amount again. */
  batch: Batch | null;
}

/** Amounts due at a cutoff, by currency and member, with their rows and clawbacks. */
export interface Preview {
  /** Number of batches that existed at the cutoff. */
  batches: number;
  due: Map<
    string,
    Map<
      number,
      {
        amount: bigint;
        rows: DueRow[];
        clawbacks: Clawback[];
        comebacks: Comeback[];
        givenBack: GivenBack[];
      }
    >
  >;
  /** Holds and gates at the cutoff. */
  creators: CreatorsSnapshot;
  /**
   * Payments kept out by holds, which a release makes payable. Rows on hold are listed one by one, unless their member
   * is on hold.
   */
  held: { currency: string; member: number; row: Row | null; hold: string }[];
}

/** Row with the amount that had been taken back from it at the cutoff. */
export interface DueRow {
  row: Row;
  taken: bigint;
  reinstatements: number;
}

export interface Clawback {
  row: Row;
  amount: bigint;
  batch: Batch | null;
}

/** Holds on members, and reviews of them, at a cutoff. */
export interface CreatorsSnapshot {
  holds: ReadonlyMap<number, string>;
  reviews: ReadonlyMap<number, readonly string[]>;
}

export const dayMs = 86_400_000;

/** Member that can be claimed once. */
export const claimable = 2;

/** Returns whether monetary sums include a row. Test rows don't earn anything. */
export const earns = (row: Row): boolean => row.isPosted && !row.isTest;
