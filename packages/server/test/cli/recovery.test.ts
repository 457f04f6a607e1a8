import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest';
import {
  type AttributionServer,
  killLeftovers,
  runAttribution,
  startServer,
  until,
} from '../attribution-process.ts';
import { isAlive, killAll, killProcess } from '../data-folder.ts';
import { purchase } from '../fixtures.ts';
import { makeStartedFolder } from '../started-folder.ts';

const folder = await makeStartedFolder();
afterEach(killLeftovers);
afterAll(() => folder.remove());

const environment = { DATA_DIR: folder.path };
const path = '/v1/attributions/transactions';

const keyOf = (): string => JSON.parse(readFileSync(join(folder.path, 'demo-keys.json'), 'utf8'))[0].key;

const record = (server: AttributionServer, transactionId: string) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'x-shared-secret': keyOf(), 'content-type': 'application/json' },
    body: JSON.stringify(purchase({ transactionId })),
  });

async function savedAt(server: AttributionServer, transactionId: string): Promise<number> {
  const answer = await fetch(`${server.url}${path}/${transactionId}`, {
    headers: { 'x-shared-secret': keyOf() },
  });
  return answer.status;
}

async function stop(server: AttributionServer): Promise<void> {
  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
  expect(folder.postgresProcesses()).toEqual([]);
}

const postmasters = () => folder.postgresProcesses().filter(({ isPostmaster }) => isPostmaster);

test.runIf(existsSync('/proc'))(
  'a backend that never notices that its database is dead does not prevent the next start',
  async () => {
    const killed = await startServer(environment);
    expect((await record(killed, 'before-stuck-backend')).status).toBe(200);
    const serves = ({ pid }: { pid: number }): boolean =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres: attribution attribution');
    const backend = folder.postgresProcesses().find(serves);
    if (backend === undefined) throw new Error('the database has no backend');
    process.kill(backend.pid, 'SIGSTOP');
    killed.kill('SIGKILL');
    await killed.ended;
    for (const { pid } of postmasters()) killProcess(pid);

    const next = await startServer(environment);
    expect(isAlive(backend.pid)).toBe(false);
    expect(await savedAt(next, 'before-stuck-backend')).toBe(200);
    await stop(next);
  },
);

test('after kill -9 of only the server, the next start takes over its database', async () => {
  const killed = await startServer(environment);
  expect((await record(killed, 'before-server-kill')).status).toBe(200);
  const [orphan] = postmasters();
  killed.kill('SIGKILL');
  await killed.ended;
  expect(postmasters()).toEqual([orphan]);

  const next = await startServer(environment);
  expect(await savedAt(next, 'before-server-kill')).toBe(200);
  expect(postmasters()).toHaveLength(1);
  expect(postmasters()).not.toEqual([orphan]);
  await stop(next);
});

test('after kill -9 of only the database, the running server restarts it', async () => {
  const server = await startServer(environment);
  expect((await record(server, 'before-database-kill')).status).toBe(200);
  const [killed] = postmasters();
  killProcess(killed?.pid ?? 0);
  const statuses = new Set<number>();
  await until('purchases to be recorded again', async () => {
    const { status } = await record(server, 'after-database-kill');
    statuses.add(status);
    return status === 200 || status === 409;
  });
  // A backend may keep running briefly, record a purchase, and be gone when that purchase is read.
  await until('the restart', () =>
    server.stderr().includes('the embedded database stopped (SIGKILL); restarting it'),
  );
  for (const saved of ['before-database-kill', 'after-database-kill']) {
    await until(`${saved} to be read`, async () => {
      const status = await savedAt(server, saved);
      statuses.add(status);
      return status === 200;
    });
  }
  await until('readiness', async () => (await fetch(`${server.url}/readyz`)).status === 200);
  expect([...statuses].filter((status) => ![200, 409, 503].includes(status))).toEqual([]);
  await stop(server);
});

test('a database that fails to restart is retried until it works', async () => {
  const server = await startServer(environment);
  const access = join(folder.cluster, 'pg_hba.conf');
  renameSync(access, `${access}.away`);
  killProcess(postmasters()[0]?.pid ?? 0);
  await until('a third try', () => server.stderr().split('retrying in').length > 3);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  renameSync(`${access}.away`, access);
  await until(
    'purchases to be recorded again',
    async () => (await record(server, 'tried-again')).status === 200,
  );
  await stop(server);
});

test('a stop while the database is being restarted leaves no database behind', async () => {
  const server = await startServer(environment);
  killProcess(postmasters()[0]?.pid ?? 0);
  await until('the restart', () => server.stderr().includes('restarting it'));
  await stop(server);
});

test('after kill -9 of everything, the next start recovers all acknowledged purchases', async () => {
  const server = await startServer(environment);
  const ids = Array.from({ length: 200 }, (_, index) => `before-kill-of-all-${index}`);
  const answers = await Promise.all(ids.map((id) => record(server, id)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const processes = folder.postgresProcesses();
  server.kill('SIGKILL');
  await killAll(processes);
  await server.ended;

  const next = await startServer(environment);
  const found = await Promise.all(ids.map((id) => savedAt(next, id)));
  expect(new Set(found)).toEqual(new Set([200]));
  await stop(next);
});

test.each([
  ['of a process that is gone', '999999999 1\n'],
  ['whose process number another program has now', `${process.pid} 1\n`],
  ['that was cut short', ''],
])('takes over a lock %s', async (_what, lock) => {
  mkdirSync(folder.path, { recursive: true });
  writeFileSync(join(folder.path, 'attribution.lock'), lock);
  await stop(await startServer(environment));
});

test("takes over the database's own lock if its server died before it wrote it", async () => {
  writeFileSync(join(folder.cluster, 'postmaster.pid'), '');
  await stop(await startServer(environment));
});

test("takes over the database's own lock if its process id now belongs to another program", async () => {
  const server = await startServer(environment);
  const processes = folder.postgresProcesses();
  server.kill('SIGKILL');
  await killAll(processes);
  await server.ended;
  const { uid, gid } = statSync(folder.cluster);
  const stranger = spawn('sleep', ['100'], { uid, gid, stdio: 'ignore' });
  onTestFinished(() => void stranger.kill());
  const pidFile = join(folder.cluster, 'postmaster.pid');
  writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(stranger.pid)));

  await stop(await startServer(environment));
  expect(isAlive(stranger.pid ?? 0)).toBe(true);
});

test('a database that does not start reports the reason', async () => {
  const settings = join(folder.cluster, 'postgresql.auto.conf');
  const before = readFileSync(settings, 'utf8');
  writeFileSync(settings, `${before}\nshared_preload_libraries = 'no_such_library'\n`);
  const early = await runAttribution(['serve'], { environment: { ...environment, PORT: '0' } });
  expect(early).toMatchObject({ code: 1, stderr: expect.stringMatching(/did not start: .*no_such_library/) });
  writeFileSync(settings, before);

  // By now, PostgreSQL has opened its own log and no longer writes to the process that started it.
  const access = join(folder.cluster, 'pg_hba.conf');
  renameSync(access, `${access}.away`);
  const late = await runAttribution(['serve'], { environment: { ...environment, PORT: '0' } });
  renameSync(`${access}.away`, access);
  expect(late).toMatchObject({ code: 1, stderr: expect.stringMatching(/did not start: .*pg_hba.conf/) });
  for (const { stderr } of [early, late]) expect(stderr).not.toMatch(/\n\s+at /);
  await stop(await startServer(environment));
});
