/**
 * Cell of a CSV file: free text, an id that must remain text, an id that must not be changed at all, or a number. Null
 * produces an empty cell.
 */
export type Cell =
  | { text: string | null }
  | { id: string | null }
  | { exactId: string | null }
  | { figure: string | null };

/**
 * Text that starts with a character that starts a formula in a spreadsheet, or that spreadsheets skip before one.
 * Apostrophes and spaces in front of it are included, so that `withoutGuard` restores any text.
 */
const formula = /^[\s']*[=+\-@\uff1d\uff0b\uff0d\uff20]|^'*[\t\r\n]/;
const needsQuotes = /[",\r\n]/;

/** Byte order mark, which lets spreadsheets recognize UTF-8. */
export const byteOrderMark = '\ufeff';

/**
 * Formats a line of CSV (RFC 4180). Text that a spreadsheet would run as a formula gets a leading apostrophe. Ids are
 * quoted so that an import can be configured to treat quoted values as text. An exact id doesn't get an apostrophe even
 * if it looks like a formula, because a changed id in a payment file could cause the wrong person to be paid
 * (docs/payouts.md).
 */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(write).join(',')}\r\n`;

function write(cell: Cell): string {
  if ('figure' in cell) return cell.figure ?? '';
  if ('exactId' in cell) return cell.exactId === null || cell.exactId === '' ? '' : quoted(cell.exactId);
  const isId = 'id' in cell;
  const value = isId ? cell.id : cell.text;
  if (value === null || value === '') return '';
  const safe = formula.test(value) ? `'${value}` : value;
  return isId || needsQuotes.test(safe) ? quoted(safe) : safe;
}

const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;

/** Removes the apostrophe that `csvLine` adds to text that would run as a formula. */
export const withoutGuard = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
