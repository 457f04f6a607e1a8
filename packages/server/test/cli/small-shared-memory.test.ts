import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { killLeftovers, startServer } from '../attribution-process.ts';
import { makeDataFolder } from '../data-folder.ts';

afterEach(killLeftovers);

const program = new URL('../../bin/attribution.js', import.meta.url).pathname;
const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

/** Returns an executable that runs the service with a /dev/shm of 64 kB, as in some containers. */
function programInSmallContainer(folder: string): string {
  const path = join(folder, 'attribution');
  writeFileSync(
    path,
    `#!/bin/sh\nexec unshare --mount sh -c 'mount -t tmpfs -o size=64k tmpfs /dev/shm && exec "$@"' sh ${program} "$@"\n`,
    { mode: 0o755 },
  );
  return path;
}

test.skipIf(!mayMount)('the embedded database is created and runs with 64 kB of /dev/shm', async () => {
  // This folder is outside the tests' folder, which may be in /dev/shm.
  const outside = mkdtempSync('/tmp/attribution-shm-');
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  chmodSync(outside, 0o711);
  const folder = makeDataFolder(outside);
  onTestFinished(() => folder.remove());
  const environment = { DATA_DIR: folder.path, TMPDIR: outside };
  const server = await startServer(environment, undefined, [], programInSmallContainer(outside));
  const client = new pg.Client(folder.connection());
  await client.connect();
  // Data read by parallel workers passes through shared memory.
  await client.query('set debug_parallel_query = on; set min_parallel_table_scan_size = 0');
  const { rows } = await client.query('select count(*)::int as members from membership');
  expect(rows[0].members).toBeGreaterThan(10);
  await client.end();
  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
});
