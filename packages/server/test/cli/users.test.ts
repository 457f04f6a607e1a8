import { chmodSync, chownSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { killLeftovers, runAttribution, startServer } from '../attribution-process.ts';
import { makeDataFolder } from '../data-folder.ts';
import { makeStartedFolder } from '../started-folder.ts';

const isRoot = process.getuid?.() === 0;
afterEach(killLeftovers);

test.skipIf(!isRoot)(
  'started by root in a folder that this user cannot enter, it names the user, the folder and a solution',
  async () => {
    const closed = mkdtempSync(join(tmpdir(), 'attribution-closed-')); // created with 0700
    onTestFinished(() => rmSync(closed, { recursive: true, force: true }));
    const DATA_DIR = join(closed, 'data');
    const { path } = await makeStartedFolder();
    renameSync(path, DATA_DIR);
    const refused = await runAttribution(['serve'], { environment: { DATA_DIR, PORT: '0' } });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^PostgreSQL refuses to run as root, so it runs as user \w+, but that user can't access/,
    );
    expect(refused.stderr).toContain(`chmod o+x ${closed}`);
    expect(refused.stderr).toContain('DATABASE_URL');
    expect(refused.stderr).not.toMatch(/\n\s+at /);

    chmodSync(closed, 0o711); // as the message says
    const server = await startServer({ DATA_DIR });
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
  },
);

test('started by an ordinary user, everything belongs to that user', async () => {
  const folder = makeDataFolder();
  onTestFinished(() => folder.remove());
  mkdirSync(folder.path);
  const [user, uid] = isRoot ? ['nobody', 65_534] : [undefined, process.getuid?.() ?? 0];
  if (isRoot) chownSync(folder.path, uid, uid);
  chmodSync(folder.path, 0o700);
  const server = await startServer({ DATA_DIR: folder.path }, user);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(statSync(folder.cluster).uid).toBe(uid);
  expect(statSync(join(folder.path, 'demo-keys.json')).mode & 0o777).toBe(0o600);
  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  expect(folder.postgresProcesses()).toEqual([]);
});
