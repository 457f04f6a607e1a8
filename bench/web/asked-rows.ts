const sizes: Readonly<Record<string, number>> = { '': 1, k: 1_000, m: 1_000_000 };

/**
 * How many purchases are to be stored: `--rows 10m`, or BENCH_ROWS.
 * @throws Error for what is no number of rows
 */
export function askedRows(words: readonly string[], usual: number): number {
  const at = words.indexOf('--rows');
  const asked = at === -1 ? process.env.BENCH_ROWS : (words[at + 1] ?? '');
  if (asked === undefined) return usual;
  const [, figures, unit = ''] = /^(\d+)([km]?)$/.exec(asked.toLowerCase()) ?? [];
  if (figures === undefined) throw new Error(`how many rows is ${asked}? 20k, 3m, 300000 …`);
  return Number(figures) * (sizes[unit] ?? 1);
}
