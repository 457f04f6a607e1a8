/** Suffix that makes a prefix sort after all text that starts with it, in byte order. */
const last = '\u{10ffff}';

/** Returns the exclusive end of the range of text that starts with the prefix, for columns in byte order. */
export const endOfPrefix = (prefix: string): string => prefix + last;
