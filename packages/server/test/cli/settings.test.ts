import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { killLeftovers, runAttribution, startServer } from '../attribution-process.ts';
import { urlsOf } from '../database-url.ts';
import { runInProcess } from '../run-in-process.ts';
import { secretsKey } from '../sealer.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'attribution-settings-'));
  return () => rmSync(folder, { recursive: true });
});
afterEach(killLeftovers);

const fileOf = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

/** Returns the first lines that a command prints if its settings are invalid. */
const refusal = async (environment: Record<string, string>): Promise<string> => {
  const { code, stdout, stderr } = await runInProcess(['doctor'], { environment });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  return stderr;
};

describe('secrets from files', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  const urls = () => urlsOf(database) as { DATABASE_URL: string; DATABASE_OWNER_URL: string };

  test('the service uses the values of the files, and logs warnings about unknown variables', async () => {
    const server = await startServer({
      DATABASE_URL_FILE: fileOf('url', `${urls().DATABASE_URL}\n`),
      SECRETS_KEY_FILE: fileOf(
        'keys',
        `${secretsKey}\r\n${Buffer.alloc(32, 'older').toString('base64')}\r\n`,
      ),
      SETTLE_INTERVAL: 'hunter2',
    });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    server.kill('SIGTERM');
    const { code, stderr } = await server.ended;
    expect(code).toBe(0);
    const lines = stderr.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'warn',
        msg: 'SETTLE_INTERVAL is ignored: there is no such setting. Did you mean SETTLE_INTERVAL_MS?',
      }),
    ]);
  });

  test('a command reads each secret from its own source: one from a file, one from its variable', async () => {
    const { code, stdout } = await runInProcess(['migrate'], {
      environment: {
        DATABASE_URL: urls().DATABASE_URL,
        DATABASE_OWNER_URL_FILE: fileOf('owner', `\uFEFF  ${urls().DATABASE_OWNER_URL} \n\n`),
      },
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('up to date') });
  });

  test('an empty _FILE names no file', async () => {
    const environment = { ...urls(), DATABASE_URL_FILE: ' ' };
    expect((await runInProcess(['migrate'], { environment })).code).toBe(0);
  });

  const missing = () => join(folder, 'missing');
  test('rejects a variable together with its file', async () => {
    const environment = { DATABASE_URL: 'postgres://u:hunter2@h/d', DATABASE_URL_FILE: missing() };
    expect(await refusal(environment)).toBe(
      'DATABASE_URL and DATABASE_URL_FILE are both set; set only one of them\n',
    );
  });

  test.each<[string, () => string, (path: string) => string]>([
    ['no file', missing, (path) => `names ${path}, which couldn't be read: no such file or directory`],
    [
      'a folder',
      () => folder,
      (path) => `names ${path}, which couldn't be read: illegal operation on a directory`,
    ],
    ['an empty one', () => fileOf('empty', ' \n\n'), (path) => `names ${path}, which is empty`],
    ['one without an end', () => '/dev/zero', (path) => `names ${path}, which is larger than 64 KiB`],
    [
      'no text',
      () => fileOf('binary', Buffer.from([0xff, 0xfe, 0x00])),
      (path) => `names ${path}, which is not UTF-8 text`,
    ],
    [
      'several lines',
      () => fileOf('lines', 'postgres://u:hunter2@h/d\npostgres://u@h/e'),
      (path) => `names ${path}, which has more than one line`,
    ],
  ])('rejects and names: %s', async (_, make, words) => {
    const path = make();
    expect(await refusal({ DATABASE_URL_FILE: path })).toBe(`DATABASE_URL_FILE ${words(path)}\n`);
  });

  test('the content of a file is validated like the setting, and not repeated', async () => {
    const path = fileOf('wrong', 'mysql://u:hunter2@h/d');
    expect(await refusal({ DATABASE_URL_FILE: path, SECRETS_KEY_FILE: missing(), PORT: 'x' })).toBe(
      [
        `DATABASE_URL (in ${path}, which DATABASE_URL_FILE names) must look like postgres://user:password@host:5432/database`,
        `SECRETS_KEY_FILE names ${missing()}, which couldn't be read: no such file or directory`,
        'PORT must be a whole number from 0 to 65535 (it is "x")\n',
      ].join('\n'),
    );
  });
});

test('a provider of the portal needs an id and a secret, and its secret is not printed', async () => {
  const message = await refusal({
    PORTAL_TWITCH_CLIENT_ID: 'portal',
    PORTAL_DISCORD_CLIENT_SECRET: 'hunter2',
  });
  expect(message).toContain('PORTAL_TWITCH_CLIENT_ID and PORTAL_TWITCH_CLIENT_SECRET require each other');
  expect(message).toContain('PORTAL_DISCORD_CLIENT_ID and PORTAL_DISCORD_CLIENT_SECRET require each other');
  expect(message).not.toContain('hunter2');
});

describe('OpenID Connect providers of the portal', () => {
  const aurora = {
    id: 'aurora',
    name: 'Aurora account',
    issuer: 'https://id.aurora.example',
    clientId: 'portal',
    clientSecret: 'hunter2',
  };

  test.each<[string, unknown, string]>([
    ['no JSON', '[{"clientSecret": "hunter2"', 'must be valid JSON: a list of providers in brackets'],
    ['an object', aurora, 'must be a JSON list of at most 10 providers'],
    ['too many', Array(11).fill(aurora), 'must be a JSON list of at most 10 providers'],
    ['a list of text', ['hunter2'], 'must be a list of JSON objects; provider 1 is none'],
    [
      'an unknown field',
      [{ ...aurora, hunter2: 1 }],
      'has a field in provider 1 other than id, name, issuer, clientId, clientSecret, scope',
    ],
    [
      'a missing secret',
      [aurora, { ...aurora, clientSecret: undefined }],
      'has no valid `clientSecret` in provider 2; it must be text of 1 to 1000 characters',
    ],
    [
      'the id of another provider',
      [{ ...aurora, id: 'twitch' }],
      'has no valid `id` in provider 1; it must be 1 to 30 lowercase letters, digits and dashes that begin with a letter, and not twitch, discord, youtube, passkey',
    ],
    [
      'an issuer over plain HTTP',
      [{ ...aurora, issuer: 'http://id.aurora.example' }],
      "has no valid `issuer` in provider 1; it must be the provider's issuer URL, such as https://accounts.example.com",
    ],
    [
      'scopes without openid',
      [{ ...aurora, scope: 'profile' }],
      'has no valid `scope` in provider 1; it must be scopes separated by single spaces, with openid among them',
    ],
    [
      'an id twice',
      [aurora, { ...aurora, issuer: 'https://other.example' }],
      'has two providers with the same id; each provider needs its own',
    ],
    [
      'an issuer twice',
      [aurora, { ...aurora, id: 'other' }],
      'has two providers with the same issuer; each provider needs its own',
    ],
  ])('rejects, without a secret in the message: %s', async (_, given, words) => {
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    expect(await refusal({ PORTAL_OIDC_PROVIDERS: text })).toBe(`PORTAL_OIDC_PROVIDERS ${words}\n`);
  });

  test('a file may have several lines, and its problems are named', async () => {
    const wrong = fileOf('wrong-providers', JSON.stringify([{ ...aurora, id: 'A' }], null, 2));
    expect(await refusal({ PORTAL_OIDC_PROVIDERS_FILE: wrong })).toMatch(
      /^PORTAL_OIDC_PROVIDERS \(in .*, which PORTAL_OIDC_PROVIDERS_FILE names\) has no valid `id` in provider 1;/,
    );
    const right = fileOf(
      'providers',
      JSON.stringify([aurora, { ...aurora, id: 'b', issuer: 'https://b.example' }], null, 2),
    );
    expect(await refusal({ PORTAL_OIDC_PROVIDERS_FILE: right, PORT: 'x' })).toBe(
      'PORT must be a whole number from 0 to 65535 (it is "x")\n',
    );
  });
});

describe('variables that are not settings', () => {
  /** Returns the warnings from a command that stops after reading its settings. */
  const warnings = async (environment: Record<string, string>): Promise<string[]> =>
    (await refusal({ ...environment, PORT: 'x' })).split('\n').slice(0, -2);

  test.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URL_FILES', 'DATABASE_URL_FILE'],
    ['SETTLE_INTERVAL', 'SETTLE_INTERVAL_MS'],
    ['SHUTDOWN_TIMEOUT_MS', 'SHUTDOWN_TIMEOUT_SECONDS'],
    ['MAX_CONECTIONS', 'MAX_CONNECTIONS'],
    ['database_url', 'DATABASE_URL'],
    ['ATTRIBUTION_PUBLIC_URL', 'PUBLIC_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
  ])('%s causes a warning that suggests: %s', async (name, meant) => {
    expect(await warnings({ [name]: 'hunter2' })).toEqual([
      `warning: ${name} is ignored: there is no such setting. Did you mean ${meant}?`,
    ]);
  });

  test('an unknown variable with a known beginning causes a warning; files are suggested only for secrets', async () => {
    expect(await warnings({ WEBHOOK_COLOUR: 'red', SMTP_PASSWORD: 'hunter2', DATA_DIR_FILE: 'x' })).toEqual([
      'warning: DATA_DIR_FILE is ignored: only DATABASE_URL_FILE, DATABASE_OWNER_URL_FILE, DATABASE_READ_URL_FILE, SECRETS_KEY_FILE, SMTP_URL_FILE, PORTAL_TWITCH_CLIENT_SECRET_FILE, PORTAL_DISCORD_CLIENT_SECRET_FILE, PORTAL_YOUTUBE_CLIENT_SECRET_FILE, PORTAL_OIDC_PROVIDERS_FILE, OIDC_CLIENT_SECRET_FILE, OTEL_EXPORTER_OTLP_HEADERS_FILE may name a file',
      'warning: SMTP_PASSWORD is ignored: there is no such setting (see docs/configuration.md)',
      'warning: WEBHOOK_COLOUR is ignored: there is no such setting (see docs/configuration.md)',
    ]);
  });

  test('variables of shells, npm, Kubernetes and other programs, and empty ones, are ignored', async () => {
    const ordinary = {
      HOME: '/',
      HOSTNAME: 'web-1',
      POST: 'x',
      LOGNAME: 'me',
      LANG: 'C.UTF-8',
      PGSSLROOTCERT: '/ca.pem',
      NODE_ENV: 'production',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
      HTTP_PROXY: 'http://proxy',
      no_proxy: 'localhost',
      npm_config_user_agent: 'npm',
      npm_package_version: '1',
      npm_lifecycle_event: 'start',
      XDG_DATA_DIRS: '/usr',
      KUBERNETES_SERVICE_HOST: '10.0.0.1',
      ATTRIBUTION_SERVICE_HOST: '10.0.0.2',
      ATTRIBUTION_PORT: 'tcp://10.0.0.2:80',
      ATTRIBUTION_SERVICE_PORT_HTTP: '80',
      ATTRIBUTION_PORT_80_TCP: 'tcp://10.0.0.2:80',
      DATABASE_PORT_5432_TCP_ADDR: '10.0.0.3',
      TEST_DATABASE_URL: 'postgres://',
      MAILCHECK: '60',
      PUBLIC_IP: '1.2.3.4',
      DATABASE_NAME: '',
      MAIL: '/var/mail/me',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector',
    };
    expect(await warnings(ordinary)).toEqual([]);
  });

  test('a process warns once, on stderr', async () => {
    const { stdout, stderr, code } = await runAttribution(['doctor'], {
      environment: { RECORD_LANE: '3', LOG_LEVEL: 'loud' },
    });
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr.match(/RECORD_LANE /g)).toHaveLength(1);
  });
});
