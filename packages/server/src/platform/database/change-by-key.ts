/** Rows read in one step, and changed in at most one commit. */
const rowsAtOnce = 1_000;

interface Steps<Row, Key> {
  /** Key below those of all rows. */
  start: Key;
  /** Reads the next rows in the order of their keys. */
  read(after: Key, limit: number): Promise<readonly Row[]>;
  keyOf(row: Row): Key;
  /** Changes the rows that it selects, in one commit. @returns the number of rows changed */
  change(rows: readonly Row[]): Promise<number>;
}

/**
 * Reads all rows of a table by their keys, a thousand at a time, and changes some of each set, for searches that no index
 * supports. @returns the number of rows changed
 */
export async function changeByKey<Row, Key>({
  start,
  read,
  keyOf,
  change,
}: Steps<Row, Key>): Promise<number> {
  let changed = 0;
  for (let after = start, hasMore = true; hasMore; ) {
    const rows = await read(after, rowsAtOnce);
    changed += await change(rows);
    const last = rows.at(-1);
    hasMore = rows.length === rowsAtOnce;
    if (last !== undefined) after = keyOf(last);
  }
  return changed;
}
