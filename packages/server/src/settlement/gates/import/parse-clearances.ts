import { parseCsv, unreadable } from '../../../members/import/parse-csv.ts';
import type { AccountId } from '../../../platform/database/tables.generated.ts';
import { toAccountId } from '../../../platform/ids.ts';
import { maxHoldReason } from '../../holds/save-holds.ts';

/** Tax clearance as read from a line of a file. */
export interface WantedClearance {
  /** Line number in the file, starting at 1. */
  line: number;
  memberId: AccountId;
  /** Start of the period, on the publisher's clock; null for the current time. */
  from: Date | null;
  /** First instant after the period; null for a period without an end. */
  until: Date | null;
  note: string;
  /** Reason why the line is invalid; otherwise null. */
  problem: string | null;
}

/** Maximum number of lines at once. A longer list is imported in several files. */
export const maxClearances = 5_000;
/**
 * Word for a clearance without an end. An empty cell is rejected, because it is more likely to be a gap in a
 * spreadsheet.
 */
const never = 'never';
const columns = ['memberId', 'from', 'until', 'note'] as const;
const required = ['memberId', 'until', 'note'] as const;
const dayMs = 86_400_000;

type Column = (typeof columns)[number];

/**
 * Parses a file with the columns `memberId`, `until`, `note` and, optionally, `from`, in any order. `until` is the last
 * day of the clearance, and `from` is its first day, both in UTC. Other columns are ignored.
 * @throws Refusal InvalidInput for a file without these columns, or with too many lines
 */
export function parseClearances(csv: string): WantedClearance[] {
  const [head, ...records] = parseCsv(csv);
  const names = head?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const placeOf = (name: Column): number => names.indexOf(name.toLowerCase());
  const missing = required.find((name) => placeOf(name) === -1);
  if (missing !== undefined)
    throw unreadable(
      `The first line must name the columns memberId, until and note. The column ${missing} is missing.`,
    );
  const twice = columns.find((name) => placeOf(name) !== names.lastIndexOf(name.toLowerCase()));
  if (twice !== undefined) throw unreadable(`The first line names the column ${twice} twice.`);
  if (records.length === 0) throw unreadable('The file has no lines below the first one.');
  if (records.length > maxClearances)
    throw unreadable(
      `The file has ${records.length} lines. Import at most ${maxClearances} at a time: split the file.`,
    );
  return records.map(({ line, cells }) => {
    const cell = (name: Column): string => cells[placeOf(name)] ?? '';
    const [from, until, note] = [readDay(cell('from')), readDay(cell('until')), cell('note')];
    const hasNoEnd = cell('until').toLowerCase() === never;
    const problems: [isWrong: boolean, problem: string][] = [
      [cell('memberId') === '', 'The line has no memberId.'],
      [
        until === null && !hasNoEnd,
        `Enter the last day of the clearance in until, such as 2028-12-31, or ${never}.`,
      ],
      [
        from === null && cell('from') !== '',
        'Enter the first day of the clearance in from, such as 2026-01-01, or leave it empty for today.',
      ],
      [note === '' || [...note].length > maxHoldReason, `Enter a note of 1 to ${maxHoldReason} characters.`],
    ];
    return {
      line,
      memberId: toAccountId(cell('memberId')),
      from,
      until: until === null ? null : new Date(until.getTime() + dayMs),
      note,
      problem: problems.find(([isWrong]) => isWrong)?.[1] ?? null,
    };
  });
}

/** Returns the first instant of a day such as 2028-12-31; null for other text. */
function readDay(text: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const at = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(at.getTime()) || !at.toISOString().startsWith(text) ? null : at;
}
