import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { requestLimits } from '../../src/platform/database/connections/limits.ts';
import { readConnection } from '../../src/platform/database/connections/read-connection.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { killLeftovers, runAttribution, startServer, until } from '../attribution-process.ts';
import { auroraProgram } from '../fixtures.ts';
import { runInProcess } from '../run-in-process.ts';
import { startTlsServer, type TlsServer } from '../tls-server.ts';

let server: TlsServer;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'attribution-words-'));
  writeFileSync(join(folder, 'file'), 'no folder, and no certificate');
  server = await startTlsServer([
    'hostssl all tls_only 127.0.0.1/32 trust',
    'hostnossl all tls_only 127.0.0.1/32 reject',
    'hostssl all with_cert 127.0.0.1/32 cert',
    'host all with_password 127.0.0.1/32 scram-sha-256',
    'host all nobody_asked 127.0.0.1/32 reject',
  ]);
  for (const role of ['tls_only', 'with_cert', 'nobody_asked', 'stranger'])
    await server.run(`create role ${role} login`);
  await server.run('create role shop_owner login');
  await server.run("create role with_password login password 'opened-sesame'");
  await server.run('create database shop owner shop_owner');
});
afterEach(killLeftovers);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns a URL with `AUTHORITY`, `OTHER`, `CLIENT`, `KEY` and `FILE` replaced by the paths of the test's files. */
const address = (user: string, query = '', database = 'shop', host = 'localhost'): string =>
  `postgres://${user}@${host}:${server.port}/${database}${query}`
    .replace('AUTHORITY', server.certificates.authority)
    .replace('OTHER', server.certificates.otherAuthority)
    .replace('CLIENT', server.certificates.client)
    .replace('KEY', server.certificates.clientKey)
    .replace('FILE', join(folder, 'file'));

describe('TLS is configured as in libpq', () => {
  const reached = async (url: string): Promise<string> => {
    const { stdout } = await runInProcess(['doctor', '--json'], { environment: { DATABASE_URL: url } });
    const [{ state, message }] = JSON.parse(stdout).findings;
    return `${state}: ${message}`;
  };

  // The role tls_only may connect only with encryption.
  test.each([
    ['tls_only', ''],
    ['tls_only', '?sslmode=allow'],
    ['tls_only', '?sslmode=prefer'],
    ['tls_only', '?sslmode=require'],
    ['tls_only', '?ssl=true'],
    ['tls_only', '?sslmode=no-verify'],
    ['tls_only', '?sslmode=require&sslrootcert=AUTHORITY'],
    ['tls_only', '?sslmode=verify-ca&sslrootcert=AUTHORITY'],
    ['tls_only', '?sslmode=verify-full&sslrootcert=AUTHORITY'],
    ['tls_only', '?sslmode=verify-full&sslrootcert=AUTHORITY&sslnegotiation=direct'],
    ['with_cert', '?sslmode=verify-full&sslrootcert=AUTHORITY&sslcert=CLIENT&sslkey=KEY'],
    ['with_cert', '?sslcert=CLIENT&sslkey=KEY'],
    ['with_password:opened-sesame', '?sslmode=require&channel_binding=require'],
    ['stranger', '?sslmode=disable'],
  ])('%s%s connects', async (user, query) => {
    expect(await reached(address(user, query))).toMatch(/^ok: Reached/);
  });

  test('verify-ca ignores the name; verify-full also checks an IP address', async () => {
    const [host, query] = ['127.0.0.1', '&sslrootcert=AUTHORITY'];
    expect(await reached(address('tls_only', `?sslmode=verify-ca${query}`, 'shop', host))).toMatch(/^ok/);
    expect(await reached(address('tls_only', `?sslmode=verify-full${query}`, 'shop', host))).toMatch(
      /^problem: The database's certificate is for another name/,
    );
  });

  test('the service works over it', async () => {
    const query = '?sslmode=verify-full&sslrootcert=AUTHORITY';
    const environment = {
      DATABASE_URL: address('tls_only', query),
      DATABASE_OWNER_URL: address('shop_owner', query),
    };
    expect(await runInProcess(['migrate'], { environment })).toMatchObject({ code: 0, stderr: '' });
    const provisioned = await runInProcess(['provision', '-', '--json'], {
      environment,
      input: auroraProgram,
    });
    const { key } = JSON.parse(provisioned.stdout).keys[0];
    const { url, kill, ended } = await startServer(environment);
    const answer = await fetch(`${url}/v1/attributions/ping`, { headers: { 'x-shared-secret': key } });
    expect(answer.status).toBe(200);
    kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });
});

test('an abandoned query is also canceled over TLS', async () => {
  const database = openDatabase({
    connection: await readConnection(address('tls_only', '?sslmode=verify-full&sslrootcert=AUTHORITY')),
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'given up',
    limits: { ...requestLimits, statementMs: 60_000, answerMs: 150 },
  });
  await expect(sql`select pg_sleep(20)`.execute(database.db)).rejects.toThrow('did not respond in time');
  const startedAtMs = performance.now();
  await until('it to be canceled', () =>
    server
      .run(`
      do $$ begin
        assert not exists (select from pg_stat_activity where application_name = 'given up' and query like '%sleep%');
      end $$`)
      .then(
        () => true,
        () => false,
      ),
  );
  expect(performance.now() - startedAtMs).toBeLessThan(4_000); // before the server would detect it itself
  await database.close();
});

describe('connection errors are explained', () => {
  const cases: readonly (readonly [what: string, url: () => string, words: RegExp])[] = [
    ['TLS demanded', () => address('tls_only', '?sslmode=disable'), /does not allow.*sslmode=verify-full/],
    ['nobody admitted', () => address('nobody_asked'), /does not allow.*pg_hba\.conf/],
    [
      'another authority',
      () => address('tls_only', '?sslmode=verify-full&sslrootcert=OTHER'),
      /certificate is not trusted.*sslrootcert=FILE/,
    ],
    ['a private authority', () => address('tls_only', '?sslmode=verify-full'), /is not trusted/],
    [
      'require with another authority',
      () => address('tls_only', '?sslmode=require&sslrootcert=OTHER'),
      /is not trusted/,
    ],
    [
      'a client certificate asked for',
      () => address('with_cert', '?sslmode=require'),
      /client certificate.*sslcert=FILE/,
    ],
    [
      'no such certificate',
      () => address('tls_only', '?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'),
      /Couldn't read the sslrootcert/,
    ],
    [
      'no certificate at all',
      () => address('tls_only', '?sslmode=verify-full&sslrootcert=FILE'),
      /contains no PEM/,
    ],
    [
      'a wrong password',
      () => address('with_password:hunter2'),
      /rejects the user or password.*percent-encoded/,
    ],
    ['no password', () => address('with_password'), /requires a password/],
    ['no such role', () => address('nobody_knows'), /does not allow the user.*nobody_knows/],
    ['no such database', () => address('stranger', '', 'nothing'), /does not exist.*create database/],
    [
      'no such host',
      () => 'postgres://u:hunter2@nowhere.invalid/shop',
      /no such host|looking up its host failed/,
    ],
    [
      'a closed port',
      () => 'postgres://u:hunter2@127.0.0.1:9/shop',
      /connection was refused.*127\.0\.0\.1:9/,
    ],
    ['no such socket', () => 'postgres://u:hunter2@/shop?host=/nowhere', /no such socket.*\/nowhere/],
  ];
  const looksClean = (outcome: { code: number | null; stdout: string; stderr: string }): void => {
    expect(outcome.code).toBe(1);
    expect(`${outcome.stdout}${outcome.stderr}`).not.toMatch(/hunter2|\n\s+at |node_modules/);
  };

  test.each(cases)('%s', async (_what, url, words) => {
    const environment = { DATABASE_URL: url() };
    for (const command of [['migrate'], ['keys', 'list', '--publisher', 'aurora']]) {
      const outcome = await runInProcess(command, { environment });
      looksClean(outcome);
      expect(outcome.stderr).toMatch(words);
      expect(outcome.stderr.trim().split('\n')).toHaveLength(1);
    }
    const doctor = await runInProcess(['doctor'], { environment });
    looksClean(doctor);
    expect(doctor.stdout).toMatch(words);
  });

  test('a database that belongs to another role', async () => {
    const outcome = await runInProcess(['migrate'], {
      environment: { DATABASE_URL: address('stranger', '', 'postgres') },
    });
    looksClean(outcome);
    expect(outcome.stderr).toMatch(/lacks a privilege.*permission denied.*owner to/);
  });

  test('serve reports the same', async () => {
    const outcome = await runAttribution(['serve'], {
      environment: { DATABASE_URL: address('with_password:hunter2') },
    });
    looksClean(outcome);
    expect(outcome.stderr).toMatch(/rejects the user or password/);
  });

  test.each([
    ['sslmode=sometimes', /sslmode="sometimes"; it must be one of disable, allow/],
    ['sslmode=verify-ca', /requires sslrootcert=FILE/],
    ['sslcert=/a', /requires both/],
  ])('an invalid value is a wrong setting: %s', async (query, words) => {
    for (const command of ['migrate', 'doctor']) {
      const environment = { DATABASE_URL: address('tls_only', `?${query}`) };
      const outcome = await runInProcess([command], { environment });
      expect(outcome).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(words) });
    }
  });

  test.each([['file'], ['file/data']])('a DATA_DIR that is a file: %s', async (path) => {
    const environment = { DATA_DIR: join(folder, path), PORT: '0' };
    for (const words of [['serve'], ['migrate'], ['doctor'], ['keys', 'list', '--publisher', 'aurora']]) {
      const outcome = await runInProcess(words, { environment });
      looksClean(outcome);
      expect(`${outcome.stdout}${outcome.stderr}`).toMatch(/DATA_DIR is .* is a file\. Set it to a folder/);
    }
  });
});
