import { readFileSync } from 'node:fs';
import { median } from '../lib/report.ts';
import { percentile } from './admin-api.ts';
import { daysFilled } from './fill.ts';
import type { Staff } from './staff.ts';

const wanted = 1_000_000;
const dayMs = 86_400_000;
const sampleEveryMs = 200;

export interface Exported {
  rows: number;
  seconds: number;
  /** Sum of the differences in rows, subtotals and shares between the file and the rollup for the same days. */
  difference: bigint;
  /** Growth in the server's memory, in MiB, between the export's second quarter and its fourth. */
  growthMiB: number;
  peakMiB: number;
}

interface Sums {
  rowCount: bigint;
  grossMinor: bigint;
  shareMinor: bigint;
}

/**
 * Exports up to a million purchases, in whole days, and compares their sum with the rollup.
 * @param stored number of stored purchases
 */
export async function measureExport(staff: Staff, pid: number, stored: number): Promise<Exported> {
  const count = Math.max(1, Math.min(daysFilled - 3, Math.ceil((daysFilled * wanted) / stored)));
  // No more purchases are recorded for past days.
  const untilMs = Math.floor(Date.now() / dayMs) * dayMs - dayMs;
  const text = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const period = { from: text(untilMs - count * dayMs), until: text(untilMs) };
  const startedAtMs = performance.now();
  const memory = watchMemory(pid);
  const { rows, sums } = await readExport(staff, period);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const sizes = memory.stop();
  const quarter = (from: number): number =>
    median(sizes.slice(Math.floor(sizes.length * from), Math.ceil(sizes.length * (from + 0.25))));
  const rollup = await readRollup(staff, period);
  const apart = (one: bigint, other: bigint): bigint => (one > other ? one - other : other - one);
  return {
    rows,
    seconds,
    difference:
      apart(sums.rowCount, rollup.rowCount) +
      apart(sums.grossMinor, rollup.grossMinor) +
      apart(sums.shareMinor, rollup.shareMinor),
    growthMiB: quarter(0.75) - quarter(0.25),
    peakMiB: percentile(sizes, 1),
  };
}

/** Reads the file as a stream. Test rows are in the file but not in any sum. */
async function readExport(staff: Staff, { from, until }: { from: string; until: string }) {
  const params = new URLSearchParams({ from: `${from}T00:00:00Z`, until: `${until}T00:00:00Z` });
  const { body } = await staff.ask(`/transactions.csv?${params}`);
  const sums: Sums = { rowCount: 0n, grossMinor: 0n, shareMinor: 0n };
  let rows = -1;
  let rest = '';
  let places = { status: 0, subtotal: 0, share: 0 };
  for await (const piece of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\r\n');
    rest = lines.pop() ?? '';
    let gross = 0;
    let share = 0;
    for (const line of lines) {
      rows += 1;
      const cells = line.split(',');
      if (rows === 0) {
        const placeOf = (name: string): number => cells.findIndex((cell) => cell.endsWith(name));
        places = {
          status: placeOf('status'),
          subtotal: placeOf('subtotalMinor'),
          share: placeOf('shareMinor'),
        };
      } else if (cells[places.status] !== 'Test') {
        sums.rowCount += 1n;
        gross += Number(cells[places.subtotal]);
        share += Number(cells[places.share]);
      }
    }
    sums.grossMinor += BigInt(gross);
    sums.shareMinor += BigInt(share);
  }
  return { rows, sums };
}

async function readRollup(staff: Staff, period: { from: string; until: string }): Promise<Sums> {
  const answer = await staff.ask(`/overview?${new URLSearchParams(period)}`);
  const { currencies } = (await answer.json()) as {
    currencies: { now: { rowCount: string; grossMinor: string; shareMinor: string } }[];
  };
  const sum = (of: 'rowCount' | 'grossMinor' | 'shareMinor'): bigint =>
    currencies.reduce((total, { now }) => total + BigInt(now[of]), 0n);
  return { rowCount: sum('rowCount'), grossMinor: sum('grossMinor'), shareMinor: sum('shareMinor') };
}

/** Samples a process's resident memory, in MiB. There are no samples if the system does not report it. */
function watchMemory(pid: number): { stop(): number[] } {
  const sizes: number[] = [];
  const timer = setInterval(() => {
    try {
      const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
      if (found?.[1] !== undefined) sizes.push(Number(found[1]) / 1_024);
    } catch {
      // The system doesn't report memory use.
    }
  }, sampleEveryMs);
  return {
    stop() {
      clearInterval(timer);
      return sizes.length === 0 ? [0] : sizes;
    },
  };
}
