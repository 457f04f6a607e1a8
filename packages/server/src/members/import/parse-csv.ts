/** Record of a CSV file, with the line where it starts. */
export interface CsvRecord {
  /** Line number, counted from 1 as in editors. */
  line: number;
  cells: string[];
}

const separators = [',', ';', '\t'] as const;

/**
 * Parses CSV as in RFC 4180 and as spreadsheets write it: with a byte order mark, any line endings, and
 * semicolons or tabs as separators (the most frequent separator in the first line is used). Trims cells and
 * skips empty lines.
 * @returns the records, and the line of a quote that is never closed (null if there is none)
 */
export function parseCsv(text: string): { records: CsvRecord[]; openQuote: number | null } {
  const source = text.startsWith('\u{feff}') ? text.slice(1) : text;
  const separator = separatorOf(source);
  const records: CsvRecord[] = [];
  let record: CsvRecord = { line: 1, cells: [] };
  let line = 1;
  let at = 0;
  const end = (): void => {
    if (record.cells.some((cell) => cell !== '')) records.push(record);
    record = { line, cells: [] };
  };
  while (at < source.length) {
    const start = skipSpaces(source, at, separator);
    const cell =
      source[start] === '"' ? quotedCell(source, start, separator) : plainCell(source, at, separator);
    if (cell === null) return { records, openQuote: line };
    record.cells.push(cell.text);
    line += cell.breaks;
    at = cell.end;
    if (source[at] === separator) {
      at += 1;
      if (at === source.length) record.cells.push('');
    } else if (at < source.length) {
      at += source.startsWith('\r\n', at) ? 2 : 1;
      line += 1;
      end();
    }
  }
  end();
  return { records, openQuote: null };
}

interface Cell {
  text: string;
  /** Index of the character after the cell. */
  end: number;
  /** Number of line breaks in the cell. */
  breaks: number;
}

function separatorOf(source: string): string {
  const first = source.slice(0, source.search(/[\r\n]|$/));
  const count = (separator: string): number => first.split(separator).length;
  return separators.reduce((best, each) => (count(each) > count(best) ? each : best));
}

const isBreak = (character: string | undefined): boolean => character === '\n' || character === '\r';

function skipSpaces(source: string, from: number, separator: string): number {
  let at = from;
  while ((source[at] === ' ' || source[at] === '\t') && source[at] !== separator) at += 1;
  return at;
}

function plainCell(source: string, from: number, separator: string): Cell {
  let end = from;
  while (end < source.length && source[end] !== separator && !isBreak(source[end])) end += 1;
  return { text: source.slice(from, end).trim(), end, breaks: 0 };
}

/** @returns null when the quote is never closed */
function quotedCell(source: string, from: number, separator: string): Cell | null {
  let at = from + 1;
  for (;;) {
    const quote = source.indexOf('"', at);
    if (quote === -1) return null;
    if (source[quote + 1] === '"') {
      at = quote + 2;
      continue;
    }
    const text = source.slice(from + 1, quote).replaceAll('""', '"');
    // Text after the closing quote belongs to the cell, so that nothing is lost silently.
    const rest = plainCell(source, quote + 1, separator);
    return {
      text: `${text}${rest.text}`.trim(),
      end: rest.end,
      breaks: text.split(/\r\n|\r|\n/).length - 1,
    };
  }
}
