import { parseCsv, unreadable } from '../../../members/import/parse-csv.ts';
import { type LineResult, lineResults } from './result.ts';

/** Requested result, as read from a file or a request. */
export interface WantedResult {
  /** Line number in the file, or position in a request without a file, starting at 1. */
  line: number;
  reference: string;
  /** Null if the status is invalid, in which case `problem` contains the reason. */
  result: LineResult | null;
  note: string | null;
  problem: string | null;
}

/** Maximum number of lines at once. A larger payout is imported in several files. */
export const maxResults = 5_000;
/** Matches the check of `payout_result.note`. */
export const maxNoteLength = 500;
const columns = ['reference', 'status', 'note'] as const;

/**
 * Parses a file with the columns `reference`, `status` and, optionally, `note`, in any order. Other columns are
 * ignored, because providers' files have many.
 * @throws Refusal InvalidInput for a file without these columns, or with too many lines
 */
export function parseResults(csv: string): WantedResult[] {
  const [head, ...records] = parseCsv(csv);
  const names = head?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const placeOf = (name: (typeof columns)[number]): number => names.indexOf(name);
  for (const name of ['reference', 'status'] as const) {
    if (placeOf(name) === -1)
      throw unreadable(
        `The first line must name the columns reference and status. The column ${name} is missing.`,
      );
  }
  const twice = columns.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) throw unreadable(`The first line names the column ${twice} twice.`);
  if (records.length === 0) throw unreadable('The file has no lines below the first one.');
  if (records.length > maxResults)
    throw unreadable(
      `The file has ${records.length} lines. Import at most ${maxResults} at a time: split the file.`,
    );
  return records.map(({ line, cells }) => {
    const cell = (name: (typeof columns)[number]): string => cells[placeOf(name)] ?? '';
    const status = cell('status').toLowerCase();
    const result = lineResults.find((each) => each.toLowerCase() === status) ?? null;
    const note = cell('note');
    return {
      line,
      reference: cell('reference').toUpperCase(),
      result,
      note: note === '' ? null : note,
      problem:
        result === null
          ? `The status must be ${lineResults.slice(0, -1).join(', ')} or ${lineResults.at(-1)}.`
          : note.length > maxNoteLength
            ? `The note is longer than ${maxNoteLength} characters.`
            : null,
    };
  });
}
