import type { BenchService } from '../lib/bench-service.ts';
import { median } from '../lib/report.ts';
import { type Sustained, sustain } from '../lib/sustained.ts';
import { type LightPurchases, lightLoad } from '../web/light-load.ts';
import { logProgress } from '../web/progress.ts';
import { openOverlays } from './overlays.ts';

interface Compared {
  /** Recorded purchases with overlays, divided by those without; median of the rounds. */
  ratio: number;
  rates: string;
  /** Processor time of the service and PostgreSQL per recorded purchase, in microseconds, without and with overlays. */
  processorUs: string;
  /** Number of purchases that overlays received. */
  shown: number;
  delaysMs: number[];
  failures: number;
}

/**
 * Records as fast as possible, alternately without and with an overlay for each secret.
 * @param sell purchases to send in addition, in both cases
 */
export async function compareWithOverlays(
  service: BenchService,
  {
    secrets,
    sell,
    rounds,
    seconds,
  }: { secrets: readonly string[]; sell: LightPurchases | null; rounds: number; seconds: number },
): Promise<Compared> {
  const alone: Sustained[] = [];
  const watched: Sustained[] = [];
  const all: Compared = { ratio: 0, rates: '', processorUs: '', shown: 0, delaysMs: [], failures: 0 };
  const measure = (): Promise<Sustained> => {
    const load = sell && lightLoad(service, sell);
    return sustain(service, { connections: 64, entries: 1, seconds }, async () => {
      all.failures += (await load?.stop())?.refused ?? 0;
    });
  };
  const measureWatched = async (): Promise<void> => {
    const overlays = await openOverlays(service, secrets);
    watched.push(await measure());
    await overlays.stop();
    all.failures += overlays.counts.failures;
    all.shown += overlays.counts.purchases;
    all.delaysMs.push(...overlays.counts.delaysMs);
  };
  for (let round = 0; round < rounds; round += 1) {
    const turns = [async () => void alone.push(await measure()), measureWatched];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    logProgress(
      `round ${round + 1} of ${rounds}: ${rateOf(alone.at(-1))} purchases per second alone, ${rateOf(watched.at(-1))} with ${secrets.length} overlays`,
    );
  }
  const ratios = watched.map((each, round) => each.rowsPerSecond / (alone[round]?.rowsPerSecond ?? 0));
  return {
    ...all,
    ratio: median(ratios),
    rates: `${alone.map(rateOf).join(', ')} / ${watched.map(rateOf).join(', ')}`,
    processorUs: `${median(alone.map(processorUs)).toFixed(0)} / ${median(watched.map(processorUs)).toFixed(0)}`,
  };
}

const rateOf = (measured: Sustained | undefined): number => Math.round(measured?.rowsPerSecond ?? 0);

function processorUs({ time, rows }: Sustained): number {
  if (time === null) return Number.NaN;
  const seconds = time.service + time.recording + time.posting + time['rest of PostgreSQL'];
  return (seconds * 1e6) / rows;
}
