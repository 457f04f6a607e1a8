import { importColumns } from '../import/parse-members.ts';

/** Row of a pasted list: texts that may refer to one or several creators. */
export interface ListLine {
  /** Line number, starting at 1. */
  line: number;
  /** Whole line, for a name with a comma; null if the line has only one cell. */
  whole: string | null;
  cells: string[];
  /** True for the cells of a spreadsheet row, which may all describe the same creator. */
  isRow: boolean;
}

export interface ParsedList {
  lines: ListLine[];
  /** Number of cells in the whole text. */
  cellCount: number;
}

/** Maximum number of cells to look up. */
export const maxCells = 1_000;
const maxCellLength = 255;

/**
 * Splits a pasted list into lines, and lines into cells at unquoted tabs, commas and semicolons. A line with tabs is a
 * spreadsheet row. Cells after the first thousand are only counted.
 */
export function parseList(text: string): ParsedList {
  const lines: ListLine[] = [];
  let cellCount = 0;
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const isRow = raw.includes('\t');
    const cells = splitLine(raw, isRow ? '\t' : ',;')
      .map((cell) => cell.trim().slice(0, maxCellLength))
      .filter((cell) => cell !== '');
    if (cells.length === 0 || (lines.length === 0 && isHead(cells))) continue;
    const kept = cells.slice(0, Math.max(0, maxCells - cellCount));
    cellCount += cells.length;
    if (kept.length === 0) continue;
    const whole = cells.length > 1 && !isRow ? raw.trim().slice(0, maxCellLength) : null;
    lines.push({ line: index + 1, whole, cells: kept, isRow });
  }
  return { lines, cellCount };
}

/**
 * Splits a line at separators and removes the quotes around quoted cells. A quote inside a cell is an ordinary
 * character.
 */
function splitLine(line: string, separators: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] as string;
    if (isQuoted && character === '"' && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"' && (isQuoted || cell.trim() === '')) isQuoted = !isQuoted;
    else if (!isQuoted && separators.includes(character)) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  return [...cells, cell];
}

const headNames: ReadonlySet<string> = new Set(
  [...importColumns, 'memberId', 'accountId', 'creator', 'code', 'player', 'email'].map((name) =>
    name.toLowerCase(),
  ),
);

/** Returns whether a spreadsheet's first line contains column names. A single cell may be a creator's name. */
const isHead = (cells: readonly string[]): boolean =>
  cells.length > 1 && cells.every((cell) => headNames.has(cell.toLowerCase().replace(/[ _-]/g, '')));
