import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyProgram } from '../apply-program.ts';
import { urlsOf } from '../database-url.ts';
import { auroraProgram } from '../fixtures.ts';
import { secretsKey } from '../sealer.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';

const bin = join(dirname(fileURLToPath(import.meta.url)), '../../bin/attribution.js');
let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase({ isDurable: true }); // otherwise doctor would find a problem
  await applyProgram(testDatabase.database.db, auroraProgram, 'aurora.yaml');
});
afterAll(() => testDatabase.drop());

/** Runs a command in a shell with redirected output. @returns the command's own exit code */
function shell(words: string, redirected: string): { code: number; stderr: string } {
  const { stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '-c', `"${bin}" ${words} ${redirected}; echo "code \${PIPESTATUS[0]}"`],
    {
      encoding: 'utf8',
      timeout: 30_000,
      env: {
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        TMPDIR: process.env.TMPDIR,
        ...urlsOf(testDatabase),
        SECRETS_KEY: secretsKey,
      },
    },
  );
  return { code: Number(/code (\d+)/.exec(stdout)?.[1]), stderr };
}

test.each([
  '--help',
  'version',
  'doctor',
  'migrate --json',
  'keys list --publisher aurora',
  'audit list --publisher aurora',
  'audit export --publisher aurora',
  'ledger balance --publisher aurora',
  'webhooks list --publisher aurora',
  'webhooks listen --publisher aurora',
])('a reader that leaves early causes no stack trace: %s', (words) => {
  expect(shell(words, '| true')).toEqual({ code: 0, stderr: '' });
});

test('a change is completed even if its output is not read', () => {
  const words = 'keys create --publisher aurora --kind public --name unread';
  expect(shell(words, '| true')).toEqual({ code: 0, stderr: '' });
  expect(shell('keys list --publisher aurora', '| grep -q unread')).toEqual({ code: 0, stderr: '' });
});

test.skipIf(!existsSync('/dev/full'))('another output error is reported once', () => {
  expect(shell('keys list --publisher aurora', '> /dev/full')).toEqual({
    code: 1,
    stderr: "Couldn't write the output: ENOSPC: no space left on device, write\n",
  });
});
