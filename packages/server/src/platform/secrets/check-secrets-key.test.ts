import { expect, onTestFinished, test } from 'vitest';
import { createEmptyDatabase, databaseUrl } from '../../../test/database-url.ts';
import { runInProcess } from '../../../test/run-in-process.ts';

const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

test('shows the fingerprint of the key on the first migration, and refuses to start with another key', async () => {
  const { connection, ownerConnection, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  const run = (words: string[], key: string) =>
    runInProcess(words, {
      environment: {
        DATABASE_URL: databaseUrl(connection),
        DATABASE_OWNER_URL: databaseUrl(ownerConnection),
        SECRETS_KEY: key,
        PORT: '0',
      },
    });
  const first = await run(['migrate'], keyOf(1));
  const fingerprint = /key whose fingerprint is ([0-9a-f]{8})/.exec(first.stdout)?.[1] ?? 'none';
  expect(first.code).toBe(0);
  expect(first.stdout).not.toContain(keyOf(1));
  expect((await run(['migrate'], keyOf(1))).stdout).toBe('The database is up to date.\n');
  for (const words of [['migrate'], ['serve']]) {
    const mistyped = await run(words, keyOf(2));
    expect(mistyped).toMatchObject({ code: 1, stdout: '' });
    expect(mistyped.stderr).toMatch(/^SECRETS_KEY \(.*\) is not the key/);
    expect(mistyped.stderr).toContain(`were sealed with ${fingerprint}`);
  }
});
