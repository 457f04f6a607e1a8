/** A cell: text that people wrote, an id that is kept as text, or a figure. Null is empty. */
export type Cell = { text: string | null } | { id: string | null } | { figure: string | null };

/** Characters with which a formula starts in a spreadsheet, and those skipped before it. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const needsQuotes = /[",\r\n]/;

/** Tells spreadsheets that the file is UTF-8. */
export const byteOrderMark = '\ufeff';

/**
 * A line of CSV (RFC 4180). What a spreadsheet would take for a formula has an apostrophe before it; ids are in quotes, by
 * which it can be told to keep them as text.
 */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(write).join(',')}\r\n`;

function write(cell: Cell): string {
  if ('figure' in cell) return cell.figure ?? '';
  const isId = 'id' in cell;
  const value = isId ? cell.id : cell.text;
  if (value === null || value === '') return '';
  const safe = formula.test(value) ? `'${value}` : value;
  return isId || needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
