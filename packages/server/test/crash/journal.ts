/** One row as a client sends it. */
export interface SentRow {
  transactionId: string;
  code: string;
  /** The request's tag: says whose row a saved one is, when several requests sent one transactionId. */
  description: string;
  subtotal: number;
  currency: string;
  transactionDate: string;
}

export type RecordedRow = SentRow & { id: string };

/** A create request and what became of it. */
export interface Attempt {
  tag: string;
  rows: readonly SentRow[];
  /**
   * saved: a 200 was read, or a GET found it after an answer that left it open; refused: a 409 that was its
   * own; open: nobody has told yet.
   */
  outcome: 'open' | 'saved' | 'refused';
  /** The 200's body, one record a row. */
  answer: RecordedRow[] | null;
}

/** What the clients know; the end of the test compares it with the database. */
export interface Journal {
  attempts: Attempt[];
  counts: Record<string, number>;
  /** What broke the contract while the load ran. */
  violations: string[];
}

export const newJournal = (): Journal => ({ attempts: [], counts: {}, violations: [] });

export function count(journal: Journal, what: string): void {
  journal.counts[what] = (journal.counts[what] ?? 0) + 1;
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
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
