import { setTimeout as sleep } from 'node:timers/promises';
import type { Staff } from './staff.ts';

/**
 * Requests that an open Overview repeats, as in packages/web/src: screens/overview/use-tail.ts, screen.tsx and
 * attention-list.tsx, and shell/bell.tsx. Overview sends all other requests only once, when it is opened.
 */
const polled = [
  { path: '/overview', everyMs: 30_000 },
  { path: '/attention', everyMs: 30_000 },
  { path: '/endpoints', everyMs: 30_000 },
] as const;
const requestedOnce = ['/groups', '/rollups', '/top-creators'];
const tailMs = 2_000;

export interface Dashboards {
  /** Returns the number of requests answered since the dashboards were opened. */
  requestCount(): number;
  stop(): Promise<void>;
}

/**
 * Opens dashboards that each send the requests of an open Overview. Resolves when all of them have loaded their data.
 */
export async function openDashboards(staff: readonly Staff[], count: number): Promise<Dashboards> {
  const ended = new AbortController();
  let requestCount = 0;
  const running: Promise<void>[] = [];
  const requestAs =
    (person: Staff) =>
    async (path: string): Promise<unknown> => {
      const body = await (await person.ask(path)).json();
      requestCount += 1;
      return body;
    };
  const repeat = async (everyMs: number, work: () => Promise<unknown>): Promise<void> => {
    while (!ended.signal.aborted) {
      try {
        await sleep(everyMs, undefined, { signal: ended.signal });
      } catch {
        return;
      }
      await work();
    }
  };
  for (let n = 0; n < count; n += 1) {
    const person = staff[n % staff.length];
    if (person === undefined) throw new Error('no staff member is signed in');
    const ask = requestAs(person);
    let after: string | null = null;
    const tail = async (): Promise<void> => {
      const { rows } = (await ask(`/tail${after === null ? '' : `?after=${after}`}`)) as TailAnswer;
      after = rows[0]?.row.attributionId ?? after;
    };
    await Promise.all([...requestedOnce, ...polled.map(({ path }) => path)].map(ask));
    await tail();
    running.push(
      repeat(tailMs, tail),
      ...polled.map(({ path, everyMs }) => repeat(everyMs, () => ask(path))),
    );
    // The dashboards are opened one after another, as people would open them.
    await sleep(tailMs / count);
  }
  return {
    requestCount: () => requestCount,
    async stop() {
      ended.abort();
      await Promise.all(running);
    },
  };
}

interface TailAnswer {
  rows: { row: { attributionId: string } }[];
}
