/** Cell of a CSV file: free text, an id that must remain text, or a number. Null produces an empty cell. */
export type Cell = { text: string | null } | { id: string | null } | { figure: string | null };

/** Characters that start a formula in a spreadsheet, and characters that spreadsheets skip before a formula. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const needsQuotes = /[",\r\n]/;

/** Byte order mark, which lets spreadsheets recognize UTF-8. */
export const byteOrderMark = '\ufeff';

/**
 * Formats a line of CSV (RFC 4180). Text that a spreadsheet would run as a formula gets a leading apostrophe. Ids are
 * quoted so that an import can be configured to treat quoted values as text.
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
