import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { databaseUrl } from '../../../../test/database-url.ts';
import { runInProcess } from '../../../../test/run-in-process.ts';
import { createTestDatabase } from '../../../../test/test-database.ts';

/** Script with the output and exit code of Debian 12's pg_dump 15 for a server running version 18. */
const olderTool = `#!/bin/sh
echo 'pg_dump: error: aborting because of server version mismatch' >&2
echo 'pg_dump: detail: server version: 18.0; pg_dump version: 15.14 (Debian 15.14-0+deb12u1)' >&2
exit 1
`;

test('says what to install when pg_dump is older than the server, and leaves no file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-older-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'pg_dump'), olderTool);
  chmodSync(join(folder, 'pg_dump'), 0o755);
  const { connection, ownerConnection, drop } = await createTestDatabase();
  onTestFinished(drop);
  const file = join(folder, 'shop.dump');
  const outcome = await runInProcess(['backup', 'create', '--to', file], {
    environment: {
      DATABASE_URL: databaseUrl(connection),
      DATABASE_OWNER_URL: databaseUrl(ownerConnection),
      PATH: `${folder}:${process.env.PATH}`,
    },
  });
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(outcome.stderr).toMatch(/^pg_dump failed: .*server version mismatch/);
  expect(outcome.stderr).toContain('The server runs PostgreSQL 18, but the installed tools are older.');
  expect(outcome.stderr).toContain('apt-get install postgresql-client-18');
  expect(outcome.stderr).toContain('export PATH=/usr/lib/postgresql/18/bin:$PATH');
  for (const path of [file, `${file}.json`, `${file}.partial`]) expect(existsSync(path)).toBe(false);
});
