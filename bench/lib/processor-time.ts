import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BenchService } from './bench-service.ts';
import { median } from './report.ts';

/** Processor seconds by purpose. */
export interface ProcessorTime {
  generator: number;
  service: number;
  recording: number;
  posting: number;
  /** Other PostgreSQL backends, PostgreSQL's own processes, and backends that have ended. */
  'rest of PostgreSQL': number;
  /** Everything running on this machine, including all of the above. */
  machine: number;
}

export interface Meter {
  /** @returns the processor seconds since the meter was started; null if the system does not report them */
  stop(): Promise<ProcessorTime | null>;
}

type Work = 'recording' | 'posting';

/** Interval at which each backend's work is sampled. A backend always does one kind of work, so one sample is enough. */
const sampleEveryMs = 200;
const ticksPerSecond = 100;

/**
 * Starts measuring processor time. Covers this process's children that start and end during the measurement
 * (the load generator), the service, and PostgreSQL's backends, which are classified by their sampled work.
 * pgbench's backends count as recording.
 */
export async function startMeter({ socketDirectory, pids }: BenchService): Promise<Meter> {
  // Only a superuser can see other backends' work.
  const client = new pg.Client({ host: socketDirectory, user: 'postgres', database: 'attribution' });
  await client.connect();
  const seen = new Map<number, SeenBackend>();
  let isOver = false;
  const before = readTimes(pids);
  const sampling = (async () => {
    while (!isOver) {
      await sample(client, seen);
      await sleep(sampleEveryMs);
    }
  })();
  return {
    async stop() {
      const after = readTimes(pids);
      isOver = true;
      await sampling;
      await client.end();
      return before === null || after === null ? null : difference(before, after, [...seen.values()]);
    },
  };
}

interface SeenBackend {
  work: Work | null;
  firstTicks: number;
  lastTicks: number;
}

async function sample(client: pg.Client, seen: Map<number, SeenBackend>): Promise<void> {
  const { rows } = await client.query<{ pid: number; work: Work | null }>(`
    select pid,
           case when application_name = 'pgbench' or query ~ 'program as materialized' then 'recording'
                when usename = 'attribution' and query ~ 'unposted|as recording \\(first_id' then 'posting'
           end as work
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  for (const { pid, work } of rows) {
    const ticks = ticksOf(String(pid))?.own;
    if (ticks === undefined) continue;
    const before = seen.get(pid) ?? { work: null, firstTicks: ticks, lastTicks: ticks };
    seen.set(pid, {
      // Connections for recording aren't used for anything else.
      work: before.work === 'recording' ? before.work : (work ?? before.work),
      firstTicks: before.firstTicks,
      lastTicks: ticks,
    });
  }
}

interface Times {
  children: number;
  service: number;
  postgres: number;
  machine: number;
}

function readTimes({ service, postgres }: BenchService['pids']): Times | null {
  try {
    let cluster = 0;
    for (const name of readdirSync('/proc')) {
      const times = /^\d+$/.test(name) ? ticksOf(name) : null;
      if (times?.parent === postgres) cluster += times.own;
      // Counts the postmaster's own time and the time of backends that have ended.
      if (Number(name) === postgres) cluster += (times?.own ?? 0) + (times?.children ?? 0);
    }
    return {
      children: ticksOf('self')?.children ?? 0,
      service: ticksOf(String(service))?.own ?? 0,
      postgres: cluster,
      machine: machineTicks(),
    };
  } catch {
    return null;
  }
}

/** Returns the ticks of a process; null if it has just ended. */
function ticksOf(name: string): { parent: number; own: number; children: number } | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${name}/stat`, 'utf8');
  } catch (error) {
    if (name === 'self') throw error;
    return null;
  }
  // The program's name may contain spaces, so only the fields after the name are read: state, parent, …, and
  // the times from the twelfth field onward.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number);
  return { parent: Number(fields[1]), own: user + system, children: childUser + childSystem };
}

/** Returns the machine's ticks, excluding idle time and disk waits. */
function machineTicks(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return user + nice + system + interrupts + softInterrupts;
}

function difference(before: Times, after: Times, seen: readonly SeenBackend[]): ProcessorTime {
  const seconds = (ticks: number): number => ticks / ticksPerSecond;
  const secondsOf = (wanted: Work): number =>
    seconds(
      seen
        .filter(({ work }) => work === wanted)
        .reduce((sum, { firstTicks, lastTicks }) => sum + lastTicks - firstTicks, 0),
    );
  const [recording, posting] = [secondsOf('recording'), secondsOf('posting')];
  return {
    generator: seconds(after.children - before.children),
    service: seconds(after.service - before.service),
    recording,
    posting,
    'rest of PostgreSQL': seconds(after.postgres - before.postgres) - recording - posting,
    machine: seconds(after.machine - before.machine),
  };
}

export interface Timed {
  rows: number;
  time: ProcessorTime | null;
}

/**
 * Returns the median, over several measurements, of a benchmark's microseconds per row, including those of
 * the load generator.
 */
export const wholeTime = (measured: readonly Timed[]): number =>
  median(
    measured.map(({ rows, time }) => {
      if (time === null) return Number.NaN;
      const { machine: _, ...ours } = time;
      return (Object.values(ours).reduce((sum, seconds) => sum + seconds, 0) / rows) * 1e6;
    }),
  );

/** Formats the microseconds per row by purpose, as medians of several measurements. */
export function showTimes(measured: readonly Timed[]): string {
  const [first] = measured;
  if (!first?.time) return 'unknown';
  const whats = Object.keys(first.time) as (keyof ProcessorTime)[];
  const shown = whats.map(
    (what) =>
      `${what} ${Math.round(median(measured.map(({ rows, time }) => ((time?.[what] ?? 0) / rows) * 1e6)))}`,
  );
  return `${Math.round(wholeTime(measured))} µs a row: ${shown.join(', ')}`;
}
