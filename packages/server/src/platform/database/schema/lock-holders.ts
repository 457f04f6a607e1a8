import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const pollEveryMs = 500;

interface Holder {
  pid: number;
  application: string | null;
  role: string | null;
  seconds: number | null;
  relation: string | null;
}

/**
 * Runs `work` while another connection polls for the sessions that hold the locks that a backend is waiting for.
 * @returns the error thrown by `work`, or null, and a description of the last lock that the backend waited for, or null
 * if it didn't wait
 */
export async function watchingLocks(
  connection: pg.ClientConfig,
  pid: number,
  work: () => Promise<unknown>,
): Promise<{ error: unknown; waitedFor: string | null }> {
  let isDone = false;
  const end = new AbortController();
  let waitedFor: string | null = null;
  const watch = async (): Promise<void> => {
    const patience = { signal: end.signal };
    await sleep(pollEveryMs, null, patience);
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      while (!isDone) {
        waitedFor = describe(await holders(client, pid)) ?? waitedFor;
        await sleep(pollEveryMs, null, patience);
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  // The lock holders are only for a message, so a failure to read them is ignored.
  const watching = watch().catch(() => undefined);
  const error = await work().then(
    () => null,
    (reason: unknown) => reason,
  );
  isDone = true;
  end.abort();
  await watching;
  return { error, waitedFor };
}

async function holders(client: pg.Client, pid: number): Promise<Holder[]> {
  const { rows } = await client.query<Holder>(
    `select b.pid, a.application_name as application, a.usename as role,
            extract(epoch from clock_timestamp() - a.xact_start)::int as seconds, w.relation
     from unnest(pg_blocking_pids($1)) as b (pid)
     left join pg_stat_activity a on a.pid = b.pid
     left join (
       select relation::regclass::text as relation from pg_locks where pid = $1 and not granted limit 1
     ) w on true`,
    [pid],
  );
  return rows;
}

function describe(found: readonly Holder[]): string | null {
  const [first] = found;
  if (first === undefined) return null;
  const sessions = found.map(({ pid, application, role, seconds }) => {
    const more = [
      ...(application ? [application] : []),
      ...(role === null ? [] : [`role ${role}`]),
      ...(seconds === null ? [] : [`in a transaction for ${seconds} s`]),
    ];
    return `process ${pid}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
  });
  return `a lock${first.relation === null ? '' : ` on ${first.relation}`} held by ${sessions.join(' and ')}`;
}
