/** Prints rows in columns as wide as their widest cell. */
export function printTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  print: (line: string) => void,
): void {
  const all = [head, ...rows].map((row) => row.map((cell) => printable(cell).replaceAll('\n', ' ')));
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

/** Text from outside for a terminal: without the characters that command one, line breaks and tabs apart. */
export const printable = (text: string): string => text.replace(/(?![\n\t])\p{Control}/gu, '\ufffd');
