const sizes: Readonly<Record<string, number>> = { '': 1, k: 1_000, m: 1_000_000 };

/**
 * Reads the number of purchases to store from `--rows 10m` or BENCH_ROWS.
 * @throws Error if it is not a number of rows
 */
export function requestedRows(words: readonly string[], fallback: number): number {
  const at = words.indexOf('--rows');
  const requested = at === -1 ? process.env.BENCH_ROWS : (words[at + 1] ?? '');
  if (requested === undefined) return fallback;
  const [, figures, unit = ''] = /^(\d+)([km]?)$/.exec(requested.toLowerCase()) ?? [];
  if (figures === undefined)
    throw new Error(`--rows must be a number such as 20k, 3m or 300000, not ${requested}`);
  return Number(figures) * (sizes[unit] ?? 1);
}
