/**
 * Time between the creation of a row's id and its commit that is allowed for. A row becomes visible when it is committed,
 * possibly after rows with later ids.
 */
const lookBackMs = 10_000;
/** Age from which an overlay that was disconnected doesn't show a purchase anymore. */
const maxMissedMs = 30_000;

/**
 * State of an overlay, which it sends with each request: the time from which it wants purchases, and the purchases since then
 * that it already has. It is valid in every process.
 */
export interface AlertCursor {
  fromMs: number;
  /** Marks of purchases and tests (`markOf`). */
  seen: ReadonlySet<string>;
}

/** Pattern of the text of a cursor: at most 60 marks, which is more than a request returns. */
export const cursorPattern = '^[0-9a-z]{1,9}(\\.[0-9a-z]{1,12}){0,60}$';

/** Returns the cursor of an overlay that was just opened, which shows nothing from before. */
export const firstCursor = (now: Date): AlertCursor => ({ fromMs: now.getTime(), seen: new Set() });

/** @param text text that matches `cursorPattern` */
export function readCursor(text: string, now: Date): AlertCursor {
  const [from = '0', ...seen] = text.split('.');
  return {
    fromMs: Math.max(Number.parseInt(from, 36), now.getTime() - maxMissedMs),
    seen: new Set(seen),
  };
}

/** Returns the cursor from which to read next, after everything up to now was read. */
export const advance = ({ fromMs, seen }: AlertCursor, now: Date): AlertCursor => ({
  fromMs: Math.max(fromMs, now.getTime() - lookBackMs),
  seen,
});

/** Returns the text of a cursor. @param marks marks of what the overlay has from the period that was read */
export const writeCursor = ({ fromMs }: AlertCursor, marks: Iterable<string>): string =>
  [fromMs.toString(36), ...marks].join('.');

/** Returns the short text that stands for a row in a cursor: the random part of its id. */
export const markOf = (rowId: string): string => rowId.slice(-12);

/** Returns the short text that stands for a test in a cursor. It differs from those of rows, which are hexadecimal. */
export const markOfTest = (testedAt: Date): string => `t${testedAt.getTime().toString(36)}`;
