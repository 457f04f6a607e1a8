import { toJson } from '../command.ts';
import type { CommandTools } from '../command-tools.ts';
import { printTable } from './print-table.ts';

interface PrintedList<Row> {
  rows: readonly Row[];
  /** Cursor of the next page; absent when the list has no pages. */
  nextCursor?: string | null;
  json: unknown;
  /** Functions that return the cell of a row, by column heading. */
  columns: Readonly<Record<string, (row: Row) => string>>;
  /** Sentence printed in place of an empty table. */
  empty: string;
  above?: readonly string[];
  below?: readonly string[];
}

/** Prints a list as a table, or as JSON with --json. A table is followed by the option for the next page. */
export function printList<Row>(
  { print }: CommandTools,
  options: { json?: boolean },
  { rows, nextCursor = null, json, columns, empty, above = [], below = [] }: PrintedList<Row>,
): void {
  if (options.json) {
    print(toJson(json));
    return;
  }
  for (const line of above) print(line);
  const cells = Object.values(columns);
  if (rows.length === 0) print(empty);
  else
    printTable(
      Object.keys(columns),
      rows.map((row) => cells.map((cell) => cell(row))),
      print,
    );
  for (const line of below) print(line);
  if (nextCursor !== null) print(`More: --cursor ${nextCursor}`);
}
