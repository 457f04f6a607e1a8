import { CsvError, parse } from 'csv-parse/sync';
import { Refusal } from '../../platform/refusal.ts';

/** CSV record and the line it starts on. */
export interface CsvRecord {
  /** Line number, starting at 1 as in editors. */
  line: number;
  cells: string[];
}

const separators = [',', ';', '\t'] as const;

/**
 * Parses CSV as in RFC 4180 and as spreadsheets write it: with a byte order mark, any line endings, and semicolons or
 * tabs as separators (the most frequent separator in the first line is used). Trims cells and skips empty lines. Line
 * breaks in cells become line feeds.
 * @throws Refusal InvalidInput for a quote that is never closed or is followed by more text in its cell
 */
export function parseCsv(text: string): CsvRecord[] {
  const source = text.replaceAll(/\r\n?/g, '\n'); // the parser would count a two-character line break twice
  const records: CsvRecord[] = [];
  let lastLine = 0;
  try {
    parse(source, {
      bom: true,
      delimiter: separatorOf(source),
      record_delimiter: '\n',
      trim: true,
      relax_column_count: true,
      relax_quotes: true, // a quote inside a cell is ordinary text, as in 6" tall
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      on_record: (cells, { lines }) => {
        lastLine = lines;
        records.push({ line: lines - breaksIn(cells), cells: cells.map((cell) => cell.trim()) });
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_QUOTE_NOT_CLOSED')
      throw unreadable(`A quote that opens after line ${lastLine} is never closed.`);
    throw unreadable(
      `Line ${error.lines} has text after a closing quote. Write a quote inside quotes twice, as in "the ""best"" one".`,
    );
  }
  return records;
}

const breaksIn = (cells: readonly string[]): number => cells.join('').split('\n').length - 1;

export const unreadable = (message: string): Refusal =>
  new Refusal('InvalidInput', message, { path: ['csv'] });

function separatorOf(source: string): string {
  const [first = ''] = source.split('\n', 1);
  const count = (separator: string): number => first.split(separator).length;
  return separators.reduce((best, each) => (count(each) > count(best) ? each : best));
}
