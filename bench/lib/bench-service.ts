import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { serviceActor } from '../../packages/server/src/audit/actor.ts';
import { commandLimits } from '../../packages/server/src/platform/database/connections/limits.ts';
import { type Database, openDatabase } from '../../packages/server/src/platform/database/database.ts';
import { prepareDatabase } from '../../packages/server/src/platform/database/schema/prepare-database.ts';
import { applyProgramFile } from '../../packages/server/src/program-file/apply-program.ts';
import { readProgramFile } from '../../packages/server/src/program-file/read-program.ts';
import { startBenchCluster } from './bench-cluster.ts';

/** Service in its own process, with its own database and with members to whom purchases can be credited. */
export interface BenchService {
  url: string;
  key: string;
  client: pg.Client;
  /** Folder that contains the database's socket, for pgbench. */
  socketDirectory: string;
  /** Settings that make commands use this installation. */
  environment: Record<string, string>;
  /** Returns the server process's peak resident memory, in MiB; null if the system does not report it. */
  peakMemoryMiB(): number | null;
  pids: { service: number; postgres: number };
  /** Resets the memory peak, if the system allows it. */
  resetPeakMemory(): void;
  /** Starts another process on the same database, with settings that override the first process's settings. */
  startAnother(settings?: Record<string, string>): Promise<OtherService>;
  stop(): Promise<void>;
}

export interface OtherService {
  url: string;
  stop(): Promise<void>;
}

const bin = fileURLToPath(new URL('../../packages/server/bin/attribution.js', import.meta.url));
export const memberCount = 1_000;
/** Number of SKUs (SKU0, SKU1, …) that have their own shares. */
export const skuCount = 10;

/** @param settings PostgreSQL settings, `name=value`, overriding the documented ones */
export async function startBenchService(settings: readonly string[] = []): Promise<BenchService> {
  const cluster = await startBenchCluster(settings);
  await prepareDatabase(cluster);
  const socketDirectory = String(cluster.connection.host);
  const key = await provision(socketDirectory);
  const client = new pg.Client(cluster.ownerConnection); // the owner may also run analyze
  await client.connect();
  const environment = {
    DATABASE_URL: `postgres://attribution@/attribution?host=${encodeURIComponent(socketDirectory)}`,
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  };
  const postgres = await postmasterOf(client);
  const { server, url } = await serve(environment).catch(async (error) => {
    await client.end();
    await cluster.stop();
    throw error;
  });
  return {
    url,
    key,
    client,
    socketDirectory,
    environment,
    pids: { service: server.pid ?? 0, postgres },
    resetPeakMemory: () => resetPeakMemory(server),
    peakMemoryMiB: () => peakMemoryMiB(server),
    async startAnother(settings = {}) {
      const other = await serve({ ...environment, ...settings });
      return { url: other.url, stop: () => ended(other.server) };
    },
    async stop() {
      await ended(server);
      await client.end();
      await cluster.stop();
    },
  };
}

async function serve(environment: Record<string, string>): Promise<{ server: ChildProcess; url: string }> {
  const server = spawn(bin, ['serve'], {
    env: { PATH: process.env.PATH, ...settingsOfBench(), ...environment, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { server, url: await addressOf(server) };
}

async function ended(server: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await exited;
}

/** Opens the service's database to prepare a benchmark, with the same time limits as commands. */
export const openBenchDatabase = ({ socketDirectory }: Pick<BenchService, 'socketDirectory'>): Database =>
  openDatabase({
    connection: { host: socketDirectory, user: 'attribution', database: 'attribution' },
    poolSize: 2,
    recordLanes: 1,
    applicationName: 'bench',
    limits: commandLimits,
  });

/** Returns service settings from the environment, as in `RECORD_LANES=4 npm run bench:record`. */
const settingsOfBench = (): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(RECORD_|SETTLE_|WEBHOOK_|PORTAL_|SMTP_|MAIL_|MAX_CONNECTIONS|NODE_OPTIONS|DATABASE_POOL|LOG_)/.test(
        name,
      ),
    ),
  );

async function provision(socketDirectory: string): Promise<string> {
  const members = Array.from({ length: memberCount }, (_, index) => ({
    id: `acc_${index}`,
    playerId: `p-${index}`,
    ...(index % 2 === 0 && { tier: 'Gold' }),
    codes: [{ code: `CODE${index}`, primary: true }],
  }));
  const program = {
    publisher: { id: 'bench', apiKeys: [{ name: 'backend', kind: 'secret' }] },
    groups: [
      {
        id: 'main',
        revShare: 10,
        tiers: [{ name: 'Gold', revShare: 20 }],
        skuRevShares: Array.from({ length: skuCount }, (_, index) => ({ skuId: `SKU${index}`, revShare: 5 })),
        members,
      },
    ],
  };
  const database = openBenchDatabase({ socketDirectory });
  const applied = await applyProgramFile(
    database.db,
    serviceActor,
    readProgramFile(JSON.stringify(program), 'bench.json'),
  );
  await database.close();
  const [created] = applied.keys;
  if (created === undefined) throw new Error('no key was created');
  return created.key;
}

async function postmasterOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${rows[0]?.pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

async function addressOf(server: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of server.stdout ?? []) {
    output += chunk;
    const found = /listens on (http:\S+)/.exec(output);
    if (found?.[1] !== undefined) {
      server.stdout?.resume();
      return found[1];
    }
  }
  throw new Error(`the service did not start: ${output}`);
}

function peakMemoryMiB({ pid }: ChildProcess): number | null {
  try {
    const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found?.[1] === undefined ? null : Math.round(Number(found[1]) / 1_024);
  } catch {
    return null;
  }
}

function resetPeakMemory({ pid }: ChildProcess): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // The system can't reset the peak, so the peak covers the whole run.
  }
}
