import { setTimeout as sleep } from 'node:timers/promises';
import type { Staff } from './staff.ts';

/**
 * What an open Overview asks for, by the code of packages/web/src: screens/overview/use-tail.ts, screen.tsx and
 * attention-list.tsx, and shell/bell.tsx. The rest is asked when it is opened.
 */
const polled = [
  { path: '/overview', everyMs: 30_000 },
  { path: '/attention', everyMs: 30_000 },
  { path: '/endpoints', everyMs: 30_000 },
] as const;
const onceAsked = ['/groups', '/rollups', '/top-creators'];
const tailMs = 2_000;

export interface Dashboards {
  /** Requests answered since they were opened. */
  asked(): number;
  stop(): Promise<void>;
}

/** Opens dashboards, each of which does what the Overview of a browser does; resolves when all of them show everything. */
export async function openDashboards(staff: readonly Staff[], count: number): Promise<Dashboards> {
  const ended = new AbortController();
  let asked = 0;
  const going: Promise<void>[] = [];
  const askedBy =
    (who: Staff) =>
    async (path: string): Promise<unknown> => {
      const answer = await (await who.ask(path)).json();
      asked += 1;
      return answer;
    };
  const again = async (everyMs: number, work: () => Promise<unknown>): Promise<void> => {
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
    const who = staff[n % staff.length];
    if (who === undefined) throw new Error('nobody is signed in');
    const ask = askedBy(who);
    let after: string | null = null;
    const tail = async (): Promise<void> => {
      const { rows } = (await ask(`/tail${after === null ? '' : `?after=${after}`}`)) as TailAnswer;
      after = rows[0]?.row.attributionId ?? after;
    };
    await Promise.all([...onceAsked, ...polled.map(({ path }) => path)].map(ask));
    await tail();
    going.push(again(tailMs, tail), ...polled.map(({ path, everyMs }) => again(everyMs, () => ask(path))));
    // People do not open them all at one moment.
    await sleep(tailMs / count);
  }
  return {
    asked: () => asked,
    async stop() {
      ended.abort();
      await Promise.all(going);
    },
  };
}

interface TailAnswer {
  rows: { row: { attributionId: string } }[];
}
