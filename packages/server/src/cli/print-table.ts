import { printableLine } from './printable.ts';

/** Prints rows in columns as wide as their widest cell. */
export function printTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  print: (line: string) => void,
): void {
  const all = [head, ...rows].map((row) => row.map(printableLine));
  const widths = head.map((_, column) =>
    all.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0),
  );
  for (const row of all) {
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}
