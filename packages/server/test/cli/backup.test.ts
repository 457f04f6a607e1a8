import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { killLeftovers, runAttribution, spawnAttribution, until } from '../attribution-process.ts';
import { auroraProgram } from '../fixtures.ts';
import { secretsKey } from '../sealer.ts';
import { findSystemPostgres, type SystemPostgres, startSystemPostgres } from '../system-postgres.ts';

const bin = findSystemPostgres();
if (bin === null)
  console.warn('PostgreSQL with its client tools is not installed: the tests of backups are skipped.');

describe.skipIf(bin === null)('a backup', () => {
  let postgres: SystemPostgres;
  let environment: Record<string, string>;
  let file = '';
  const folder = mkdtempSync(join(tmpdir(), 'attribution-backup-'));

  const run = (args: readonly string[], changes: Record<string, string> = {}) =>
    runAttribution(args, { environment: { ...environment, ...changes } });
  const leftovers = () => globSync(join(folder, 'attribution-scratch-*'));
  const scratchUrl = () => postgres.url('postgres', 'postgres');
  const databases = () =>
    postgres.admin('postgres', "select datname from pg_database where datname like 'attribution_scratch_%'");

  beforeAll(async () => {
    chmodSync(folder, 0o711); // PostgreSQL started by root runs as another user, who needs access
    postgres = await startSystemPostgres(bin ?? '');
    environment = {
      ...(await postgres.makeDatabase('shop')),
      PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`,
      TMPDIR: folder,
    };
    expect(await run(['migrate'])).toMatchObject({ code: 0, stderr: '' });
    expect(await runAttribution(['provision', '-'], { environment, input: auroraProgram })).toMatchObject({
      code: 0,
    });
    expect(
      await run(['webhooks', 'add', '--publisher', 'aurora', '--url', 'https://example.com/hook']),
    ).toMatchObject({ code: 0 });
    file = join(folder, 'shop.dump');
    expect(await run(['backup', 'create', '--to', file])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /contains [\d,]+ rows from \d+ tables.*SECRETS_KEY, so store that key separately/,
      ),
    });
    for (const path of [file, `${file}.json`]) expect(statSync(path).mode & 0o777).toBe(0o600);
  });
  afterEach(killLeftovers);
  afterAll(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is restored in a temporary cluster, compared and verified, which leaves nothing behind', async () => {
    expect(await run(['backup', 'verify', file])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^The rows of all tables match the manifest\.$[\s\S]*^The ledger is correct[\s\S]*^The backup is good\.$/m,
      ),
    });
    expect(leftovers()).toEqual([]);
  });

  test('with other rows than its manifest, without the key of its secrets, cut off, or missing, is detected', async () => {
    const manifest = JSON.parse(readFileSync(`${file}.json`, 'utf8'));
    manifest.tables.membership.rows += 1;
    manifest.tables.publisher.sum = '1';
    const wrong = join(folder, 'wrong.json');
    writeFileSync(wrong, JSON.stringify(manifest));
    const found = await run(['backup', 'verify', file, '--manifest', wrong, '--scratch', scratchUrl()], {
      SECRETS_KEY: Buffer.alloc(32, 'other').toString('base64'),
    });
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(/PROBLEM rows: membership has 6 rows, but the manifest has 7\./);
    expect(found.stdout).toMatch(/PROBLEM rows: publisher has 1 rows, but their contents differ from/);
    expect(found.stdout).toMatch(/PROBLEM secrets: .* sealed with a key that is not in SECRETS_KEY/);
    expect(found.stdout).toMatch(/^THE BACKUP IS NOT GOOD\.$/m);

    const cut = join(folder, 'cut.dump');
    writeFileSync(cut, readFileSync(file));
    truncateSync(cut, Math.floor(statSync(cut).size * 0.7));
    expect(await run(['backup', 'verify', cut, '--scratch', scratchUrl()])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/pg_restore failed: /),
    });
    expect(await run(['backup', 'verify', join(folder, 'none')])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/pg_restore failed: .*No such file/),
    });
    expect(await databases()).toEqual([]);
  });

  test('that was already restored is read and not changed', async () => {
    const { code, stdout } = await run([
      ...['backup', 'verify', '--restored', environment.DATABASE_URL ?? ''],
      ...['--manifest', `${file}.json`],
    ]);
    expect(stdout).toMatch(/^The rows of all tables match the manifest\.$/m);
    expect(code).toBe(0);
    expect(await run(['backup', 'verify'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Specify either a file or --restored/),
    });
  });

  test('is never overwritten, and reports missing tools or disk space', async () => {
    expect(await run(['backup', 'create', '--to', file])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/already exists/),
    });
    const other = join(folder, 'other.dump');
    expect(await run(['backup', 'create', '--to', other], { PATH: dirname(process.execPath) })).toMatchObject(
      { code: 1, stderr: expect.stringMatching(/pg_dump is not installed/) },
    );
    expect([existsSync(other), existsSync(`${other}.json`)]).toEqual([false, false]);
    const large = join(folder, 'large.json');
    const manifest = JSON.parse(readFileSync(`${file}.json`, 'utf8'));
    writeFileSync(large, JSON.stringify({ ...manifest, databaseBytes: 1e15 }));
    expect(await run(['backup', 'verify', file, '--manifest', large])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/not enough space in .*restoring may take 1000002\.3 GB/),
    });
    expect(leftovers()).toEqual([]);
  });

  test.each(['SIGKILL', 'SIGINT'] as const)(
    'whose verification is ended by %s leaves nothing behind',
    async (signal) => {
      const check = spawnAttribution(['backup', 'verify', file], { environment });
      await until('the cluster to run', () =>
        leftovers().some((path) => existsSync(join(path, 'postgres/postmaster.pid'))),
      );
      check.kill(signal);
      await check.ended;
      await until('its folder to be gone', () => leftovers().length === 0);
      const server = spawnAttribution(['backup', 'verify', file, '--scratch', scratchUrl()], { environment });
      await until('its database to be there', async () => (await databases()).length === 1);
      server.kill(signal);
      await server.ended;
      await until('its database to be gone', async () => (await databases()).length === 0);
    },
  );

  test('does not contain the key of its secrets', () => {
    expect(readFileSync(file).includes(secretsKey)).toBe(false);
    expect(readFileSync(`${file}.json`, 'utf8')).not.toContain(secretsKey);
  });
});
