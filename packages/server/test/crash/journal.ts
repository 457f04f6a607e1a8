export interface SentRow {
  transactionId: string;
  code: string;
  /**
   * Tag of the request. If several requests sent the same transactionId, the tag identifies the one that
   * saved the row.
   */
  description: string;
  subtotal: number;
  currency: string;
  transactionDate: string;
}

export type RecordedRow = SentRow & { id: string };

export interface Attempt {
  tag: string;
  rows: readonly SentRow[];
  /**
   * `saved`: a 200 was received, or a GET found the rows after an inconclusive response. `refused`: a 409 was
   * received, and the rows were not saved by this request. `open`: not known yet.
   */
  outcome: 'open' | 'saved' | 'refused';
  /** Body of the 200 response, one record per row. */
  answer: RecordedRow[] | null;
}

/**
 * Record of what the clients sent and received. At the end, the test compares this record with the database.
 */
export interface Journal {
  attempts: Attempt[];
  counts: Record<string, number>;
  violations: string[];
}

export const newJournal = (): Journal => ({ attempts: [], counts: {}, violations: [] });

export function count(journal: Journal, what: string): void {
  journal.counts[what] = (journal.counts[what] ?? 0) + 1;
}

/** Returns a generator of numbers from 0 to 1 that are determined by the seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const pick = <Item>(random: () => number, items: readonly Item[]): Item => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
};
