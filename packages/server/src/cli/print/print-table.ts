import stringWidth from 'string-width';
import { printableLine } from './printable.ts';

/**
 * Prints rows in columns, each as wide as its widest cell on a terminal. 漢 takes two terminal columns, and a
 * combining accent takes none.
 */
export function printTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  print: (line: string) => void,
): void {
  const all = [head, ...rows].map((row) =>
    row.map((cell) => {
      const text = printableLine(cell);
      return { text, width: stringWidth(text) };
    }),
  );
  const widths = head.map((_, column) =>
    all.reduce((widest, row) => Math.max(widest, row[column]?.width ?? 0), 0),
  );
  for (const row of all) {
    print(
      row
        .map(({ text, width }, column) => text + ' '.repeat(Math.max(0, (widths[column] ?? 0) - width)))
        .join('  ')
        .trimEnd(),
    );
  }
}
