import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { connectionsToRunning } from '../../src/platform/database/embedded/embedded-cluster.ts';
import { type AttributionServer, killLeftovers, startServer, until } from '../attribution-process.ts';
import { killAll, postgresProcesses } from '../data-folder.ts';
import { auroraProgram, purchase } from '../fixtures.ts';
import { runInProcess } from '../run-in-process.ts';
import { mountSmallDisk, type SmallDisk } from '../small-disk.ts';
import { findSystemPostgres, startSystemPostgres } from '../system-postgres.ts';

const bin = findSystemPostgres();
if (bin === null) console.warn('PostgreSQL is not installed: its full disk is not tried.');
const path = '/v1/attributions/transactions';
const isRoot = process.getuid?.() === 0;
const trial = isRoot ? mountSmallDisk(1) : null;
trial?.remove();
const canMount = trial !== null;
if (!canMount) console.warn('File systems cannot be mounted here: the tests of a full disk are skipped.');

afterEach(killLeftovers);

function smallDisk(mebibytes: number): SmallDisk {
  const disk = mountSmallDisk(mebibytes);
  if (disk === null) throw new Error('nothing can be mounted');
  onTestFinished(() => disk.remove());
  return disk;
}

/** Free space with which the service does not consider the disk full. */
const enoughBytes = 20 * 1_048_576;
/** Free space that isn't enough, even though it is slightly larger than a segment of PostgreSQL's log. */
const segmentBytes = 18 * 1_048_576;

function client(server: () => AttributionServer, key: () => string) {
  const headers = () => ({ 'x-shared-secret': key(), 'content-type': 'application/json' });
  const status = (answer: Promise<Response>): Promise<number> =>
    answer.then(
      (response) => response.status,
      () => 0,
    );
  return {
    create: (transactionId: string) =>
      status(
        fetch(server().url + path, {
          method: 'POST',
          headers: headers(),
          // The description is long, so that the table's last page fills up quickly.
          body: JSON.stringify(purchase({ transactionId, description: 'x'.repeat(1_000) })),
        }),
      ),
    read: (transactionId: string) =>
      status(fetch(`${server().url}${path}/${transactionId}`, { headers: headers() })),
  };
}

describe.skipIf(!canMount)('with the disk of the embedded database full', () => {
  test('reads work, creates get 503, and it recovers when there is space', {
    timeout: 120_000,
  }, async () => {
    const disk = smallDisk(256);
    const DATA_DIR = join(disk.path, 'data');
    const cluster = join(DATA_DIR, 'postgres');
    mkdirSync(DATA_DIR);
    chmodSync(DATA_DIR, 0o711);
    const environment = { DATA_DIR };
    let server = await startServer(environment);
    onTestFinished(() => killAll(postgresProcesses(cluster)));
    const keys = () => JSON.parse(readFileSync(join(DATA_DIR, 'demo-keys.json'), 'utf8'))[0].key as string;
    const { create, read } = client(() => server, keys);
    const reads = async (what: string) =>
      until(`reads ${what}`, async () => (await read('before')) === 200, undefined, 30_000).catch((error) => {
        throw new Error(`${error.message}; the service said:\n${server.stderr().slice(-4_000)}`);
      });
    let count = 0;
    const answerOfCreates = (wanted: number) =>
      until(
        `creates answered ${wanted}`,
        async () => (await create(`c-${count++}`)) === wanted,
        undefined,
        30_000,
      );
    /**
     * Fills the space that PostgreSQL frees by removing old logs, but not the reserve's space. The reserve
     * may be released at any time, so the free space is read before the reserve's file is checked, and no
     * more than that much space is filled.
     */
    const readOnly = (mayFill: () => boolean) =>
      until('the read-only start', () => {
        const freeBytes = disk.freeBytes();
        if (freeBytes >= enoughBytes && mayFill()) disk.fill(freeBytes);
        return server.stderr().includes('read-only until there is free space');
      });
    expect(await create('before')).toBe(200);
    await until('the reserve', () => existsSync(join(DATA_DIR, 'reserve')));

    disk.fill(disk.freeBytes());
    await useUpLog(cluster);
    await answerOfCreates(503);
    // Until the database is read-only, each create may crash it, and the next read may arrive while the
    // database is starting.
    await readOnly(() => existsSync(join(DATA_DIR, 'reserve')));
    await reads('on a full disk');
    for (let turn = 0; turn < 10; turn += 1) {
      expect(await create(`full-${turn}`)).toBe(503);
      expect(await read('before')).toBe(200);
    }
    expect(await fetch(`${server.url}/healthz`)).toMatchObject({ status: 200 });

    // Even starting the service needs no free space.
    server.kill('SIGKILL');
    await server.ended;
    await killAll(postgresProcesses(cluster));
    server = await startServer(environment);
    await reads('after a start on a full disk');
    // The last start may have had enough space to write a little. This start has only enough to finish a log
    // segment.
    disk.fill(disk.freeBytes() - segmentBytes);
    await readOnly(() => false);
    // The first connection to a database writes a catalog cache file, and fails if it can't write the file.
    await reads('read-only after the start');
    disk.fill();
    await reads('without a byte left');
    expect(await create('still-full')).toBe(503);

    disk.empty();
    await answerOfCreates(200);
    await reads('with room again');
    expect(server.stderr()).toContain('accepts writes again');
    await until('the reserve to be made again', () => existsSync(join(DATA_DIR, 'reserve')));
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
  });
});

test.skipIf(!canMount || bin === null)(
  'with the disk of an external PostgreSQL full, reads work, creates get 503, and both recover',
  { timeout: 120_000 },
  async () => {
    const disk = smallDisk(128);
    const postgres = await startSystemPostgres(bin ?? '', disk.path);
    onTestFinished(() => postgres.stop());
    const environment = await postgres.makeDatabase('shop');
    expect(await runInProcess(['migrate'], { environment })).toMatchObject({ code: 0, stderr: '' });
    const { stdout } = await runInProcess(['provision', '-', '--json'], {
      environment,
      input: auroraProgram,
    });
    const { key } = JSON.parse(stdout).keys[0];
    const server = await startServer(environment);
    const { create, read } = client(
      () => server,
      () => key,
    );
    expect(await create('before')).toBe(200);
    disk.fill();
    let count = 0;
    await until('creates to be refused', async () => (await create(`c-${count++}`)) === 503);
    expect(await read('before')).toBe(200);
    disk.empty();
    await until('creates to be saved', async () => (await create(`d-${count++}`)) === 200);
    expect(await read('before')).toBe(200);
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
  },
);

/** Fills the current segment of PostgreSQL's log, so that the next commit needs a new segment. */
async function useUpLog(cluster: string): Promise<void> {
  const superuser = new pg.Client({ ...connectionsToRunning(cluster)?.connection, user: 'postgres' });
  superuser.on('error', () => undefined);
  try {
    await superuser.connect();
    await superuser.query("select pg_logical_emit_message(true, 'full', 'full')");
    await superuser.query('select pg_switch_wal()');
  } catch {
    // The database crashed for lack of space, or was stopped before it could crash.
  } finally {
    await superuser.end().catch(() => undefined);
  }
}
