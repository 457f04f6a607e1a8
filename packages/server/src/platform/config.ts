import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ConnectorConfig, connectorSettings } from './connector-settings.ts';
import { type MailConfig, mailSettings } from './mail/mail-settings.ts';
import { type OidcConfig, oidcSettings } from './oidc-settings.ts';
import { OperatorError } from './operator-error.ts';
import { type PortalConfig, portalSettings, problemsOfProviders } from './portal-settings.ts';
import { asTyped } from './program-name.ts';
import { type ReplicaSettings, replicaSettings } from './replica-settings.ts';
import { parseSecretsKeys } from './secrets/secrets-keys.ts';
import { type GivenSetting, givenSecret } from './setting-files.ts';
import {
  databaseUrl,
  oneOf,
  processCount,
  publicUrl,
  type Setting,
  seconds,
  wholeNumber,
  yesOrNo,
} from './setting-parsers.ts';
import { type TraceConfig, traceSettings } from './telemetry/trace-settings.ts';

/** Settings of one process, read once from the environment. If a setting has a unit, its name ends with it. */
export interface Config
  extends ReplicaSettings,
    ConnectorConfig,
    MailConfig,
    PortalConfig,
    OidcConfig,
    TraceConfig {
  readonly databaseUrl: string | null;
  readonly databaseOwnerUrl: string | null;
  readonly secretsKeys: readonly Buffer[];
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** Port for the operations routes. If null, the main port serves them; 'off' disables them. */
  readonly operationsPort: number | 'off' | null;
  readonly operationsHost: string | null;
  /** Number of processes that serve requests. */
  readonly processes: number;
  readonly logLevel: string;
  readonly databasePoolSize: number;
  readonly databasePreparedStatements: boolean;
  readonly recordLanes: number;
  readonly recordQueueRows: number;
  readonly settleIntervalMs: number;
  readonly webhookIntervalMs: number;
  readonly webhookMaxTaken: number;
  readonly webhookKeepDays: number;
  readonly customEventKeepDays: number;
  readonly webhookAllowPrivateTargets: boolean;
  readonly requestTimeoutMs: number;
  readonly answerTimeoutMs: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly shutdownDelayMs: number;
  readonly shutdownTimeoutMs: number;
  readonly trustProxy: readonly string[];
  readonly failedKeysPerSecond: number;
  readonly requestsPerSecondPerKey: number;
  readonly codeMissesPerMinute: number;
  readonly linkMissesPerMinute: number;
  readonly linkMissesPerMinutePerPlayer: number;
  readonly revShareOne: 'contract' | 'one-percent';
  /** Origin without a trailing slash. Null if browsers use a loopback name. */
  readonly publicUrl: string | null;
  /** Path of the file of erasures for requests in the portal. Null if they are carried out with commands. */
  readonly erasureLog: string | null;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** All settings. docs/configuration.md is generated from this table, in the same order. */
export const settings: { readonly [Key in keyof Config]: Setting<Config[Key]> } = {
  databaseUrl: {
    name: 'DATABASE_URL',
    fallback: '',
    meaning:
      'The database to use (PostgreSQL 15 to 18), as `postgres://user:password@host:5432/database`; [managed-postgresql.md](managed-postgresql.md) explains options such as `?sslmode=…`. If it is not set, an embedded PostgreSQL runs in `DATA_DIR`.',
    parse: databaseUrl,
  },
  databaseOwnerUrl: {
    name: 'DATABASE_OWNER_URL',
    fallback: '',
    meaning: `URL of the same database for the role that owns its tables. Only \`${asTyped('migrate')}\` uses this setting; the service doesn't need the owner's rights. Default: \`DATABASE_URL\`.`,
    parse: databaseUrl,
  },
  ...replicaSettings,
  secretsKeys: {
    name: 'SECRETS_KEY',
    fallback: '',
    meaning:
      'The key that encrypts secrets in the database; required with `DATABASE_URL`. 32 bytes in base64, as printed by `openssl rand -base64 32`. Separate several keys with commas; the first key encrypts, and all keys can decrypt. The key of an embedded database is in `DATA_DIR/secrets.key`.',
    parse: parseSecretsKeys,
  },
  dataDir: {
    name: 'DATA_DIR',
    fallback: './data',
    meaning: 'Folder of the embedded database and its lock file. Not used if `DATABASE_URL` is set.',
    parse: (text) => resolve(text),
  },
  host: {
    name: 'HOST',
    fallback: '127.0.0.1',
    meaning: 'Address to listen on. `0.0.0.0` means every network interface.',
    parse: (text) => text,
  },
  port: {
    name: 'PORT',
    fallback: '8080',
    meaning: 'Port to listen on. 0 selects a free port.',
    parse: wholeNumber(0, 65_535),
  },
  operationsPort: {
    name: 'OPERATIONS_PORT',
    fallback: '',
    meaning:
      'Separate port for `/metrics`, `/docs` and `/openapi.json`. 0 selects a free port, and `off` disables these paths. If it is not set, they are served on `PORT`. `/healthz` and `/readyz` are always available on both ports.',
    parse: (text) => (text === '' ? null : text === 'off' ? text : wholeNumber(0, 65_535)(text)),
  },
  operationsHost: {
    name: 'OPERATIONS_HOST',
    fallback: '',
    meaning: 'Address to listen on for `OPERATIONS_PORT`. Default: `HOST`.',
    parse: (text) => text || null,
  },
  processes: {
    name: 'PROCESSES',
    fallback: '1',
    meaning:
      'Number of processes that serve requests on `PORT`. With more than 1, another process does the background work, and one supervises them. `auto` means as many as the machine has processors, which suits a database on another machine ([scaling.md](scaling.md#processes)).',
    parse: processCount,
  },
  logLevel: {
    name: 'LOG_LEVEL',
    fallback: 'info',
    meaning: `How much to log: ${logLevels.map((level) => `\`${level}\``).join(', ')}. \`debug\` logs every request.`,
    parse: oneOf(logLevels),
  },
  databasePoolSize: {
    name: 'DATABASE_POOL_SIZE',
    fallback: '10',
    meaning:
      'Number of database connections that one process uses for requests that read or change data. Recording (`RECORD_LANES`), lookups, background work and readiness checks use additional connections.',
    parse: wholeNumber(1, 500),
  },
  databasePreparedStatements: {
    name: 'DATABASE_PREPARED_STATEMENTS',
    fallback: 'true',
    meaning:
      'Set to `false` behind a pooler that loses prepared statements (PgBouncer in transaction mode before 1.21).',
    parse: yesOrNo,
  },
  recordLanes: {
    name: 'RECORD_LANES',
    fallback: '2',
    meaning:
      'Number of recording commits that one process runs at the same time, each on its own connection. A single publisher can use all of them.',
    parse: wholeNumber(1, 32),
  },
  recordQueueRows: {
    name: 'RECORD_QUEUE_ROWS',
    fallback: '20000',
    meaning:
      'Maximum number of rows waiting to be recorded in one process. A single publisher may use four fifths of the queue. Requests from a publisher that has used up its share get 503 with `Retry-After`.',
    parse: wholeNumber(1_000, 1_000_000),
  },
  settleIntervalMs: {
    name: 'SETTLE_INTERVAL_MS',
    fallback: '1000',
    meaning:
      'Interval at which a busy process posts purchases and checks bounties. Purchases that arrive in between are posted together. After two seconds without work, a process polls for work from other processes only once a second. It still immediately posts the purchases that it records itself.',
    parse: wholeNumber(10, 60_000),
  },
  webhookIntervalMs: {
    name: 'WEBHOOK_INTERVAL_MS',
    fallback: '200',
    meaning:
      'Interval at which a busy process polls for webhooks to send. An idle process polls once a second, but sends its own events right away.',
    parse: wholeNumber(10, 60_000),
  },
  webhookMaxTaken: {
    name: 'WEBHOOK_MAX_TAKEN',
    fallback: '2000',
    meaning:
      'Maximum number of webhooks that one process sends at the same time. Endpoints without a recent successful delivery share three quarters of this number. Requests that have waited half a second for a response no longer count. There may be up to twice this number of such requests, each with its own socket.',
    parse: wholeNumber(10, 20_000),
  },
  webhookKeepDays: {
    name: 'WEBHOOK_KEEP_DAYS',
    fallback: '30',
    meaning:
      'Number of days to store events and their deliveries, so that they can be viewed and replayed. After that, whole days are dropped, but a day is not dropped while a delivery from it or from an earlier day is pending.',
    parse: wholeNumber(5, 3_650),
  },
  customEventKeepDays: {
    name: 'CUSTOM_EVENT_KEEP_DAYS',
    fallback: '90',
    meaning:
      'Number of days to store custom events, so that a bounty that is created or extended later counts them too. After that, whole days are dropped. The ids of the events and the progress that they contributed are preserved.',
    parse: wholeNumber(1, 730),
  },
  webhookAllowPrivateTargets: {
    name: 'WEBHOOK_ALLOW_PRIVATE_TARGETS',
    fallback: 'false',
    meaning:
      'Set to `true` to also allow webhooks to private, loopback and link-local addresses. Use this for development, or for receivers on your own network.',
    parse: yesOrNo,
  },
  ...connectorSettings,
  requestTimeoutMs: {
    name: 'REQUEST_TIMEOUT_SECONDS',
    fallback: '30',
    meaning: 'Time within which a client must send its whole request.',
    parse: seconds(1, 600),
  },
  answerTimeoutMs: {
    name: 'ANSWER_TIMEOUT_SECONDS',
    fallback: '15',
    meaning: "Time after which a connection is closed if the client doesn't read any of its response.",
    parse: seconds(1, 600),
  },
  maxConnections: {
    name: 'MAX_CONNECTIONS',
    fallback: '2000',
    meaning:
      'Maximum number of client connections to one process. At the limit, a new connection replaces the oldest connection that has not sent a valid key, or otherwise an idle connection.',
    parse: wholeNumber(10, 100_000),
  },
  maxConnectionsPerAddress: {
    name: 'MAX_CONNECTIONS_PER_ADDRESS',
    fallback: '500',
    meaning:
      'Maximum number of connections from one client address (for IPv6, one /64 network). This limit does not apply to proxies in `TRUST_PROXY`.',
    parse: wholeNumber(1, 100_000),
  },
  shutdownDelayMs: {
    name: 'SHUTDOWN_DELAY_SECONDS',
    fallback: '0',
    meaning:
      'Time after SIGTERM or Ctrl-C during which `/readyz` returns 503 while all other requests still succeed. This lets a load balancer stop sending requests before the listener closes.',
    parse: seconds(0, 600),
  },
  shutdownTimeoutMs: {
    name: 'SHUTDOWN_TIMEOUT_SECONDS',
    fallback: '20',
    meaning: 'Time that running requests have to finish after SIGTERM or Ctrl-C.',
    parse: seconds(1, 600),
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    fallback: '',
    meaning:
      'Proxies whose `X-Forwarded-For` is trusted: addresses or networks such as `10.0.0.0/8`, separated by commas.',
    parse: (text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
  },
  failedKeysPerSecond: {
    name: 'FAILED_KEYS_PER_SECOND',
    fallback: '20',
    meaning:
      'Maximum number of requests with an invalid API key that one client address may send per second. Above the limit, the address gets 429.',
    parse: wholeNumber(1, 1_000_000),
  },
  requestsPerSecondPerKey: {
    name: 'REQUESTS_PER_SECOND_PER_KEY',
    fallback: '0',
    meaning:
      'Maximum number of requests per second that one process accepts with the same API key; 0 means no limit.',
    parse: wholeNumber(0, 10_000_000),
  },
  codeMissesPerMinute: {
    name: 'CODE_MISSES_PER_MINUTE',
    fallback: '120',
    meaning:
      'Maximum number of lookups of nonexistent codes per minute, for one key and client address. Above the limit, lookups get 429. With a public key, lookups of nonexistent members and bounties also count.',
    parse: wholeNumber(1, 1_000_000),
  },
  linkMissesPerMinute: {
    name: 'LINK_MISSES_PER_MINUTE',
    fallback: '60',
    meaning:
      'Maximum number of failed attempts per minute to link accounts to players, for one key in one process. Above the limit, requests to link get 429. Successful links are not counted.',
    parse: wholeNumber(1, 1_000_000),
  },
  linkMissesPerMinutePerPlayer: {
    name: 'LINK_MISSES_PER_MINUTE_PER_PLAYER',
    fallback: '5',
    meaning:
      "Maximum number of failed attempts per minute to link accounts to one `playerId`, for one key in one process. This limit is checked first, so that a player who mistypes or guesses codes does not use up the key's limit.",
    parse: wholeNumber(1, 1_000_000),
  },
  revShareOne: {
    name: 'REV_SHARE_ONE',
    fallback: 'contract',
    meaning:
      'Meaning of a scheduled revenue share of exactly 1. `contract` stores 100 percent, as documented in the API. `one-percent` stores 1 percent.',
    parse: oneOf(['contract', 'one-percent']),
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    fallback: '',
    meaning:
      'URL at which browsers reach this installation, such as `https://creators.example.com`. Staff can sign in only at this URL. If it is not set, they can sign in only on this machine, at `http://localhost:8080`.',
    parse: publicUrl,
  },
  ...mailSettings,
  ...portalSettings,
  erasureLog: {
    name: 'ERASURE_LOG',
    fallback: '',
    meaning:
      'Path of the file of erasures, on a disk that is backed up apart from the database. If it is set, the service erases creators who requested it in the portal, 14 days later, and appends a line to the file for each. If it is not set, the requests are listed for staff, and an operator erases the creators with a command ([erasure.md](erasure.md#requests-in-the-portal)).',
    parse: (text) => (text === '' ? null : text),
  },
  ...oidcSettings,
  ...traceSettings,
};

/** Settings that contain passwords or keys. They are never printed, and may be read from files (`setting-files.ts`). */
export const secretSettings: readonly (keyof Config)[] = [
  'databaseUrl',
  'databaseOwnerUrl',
  'databaseReadUrl',
  'secretsKeys',
  'smtpUrl',
  'portalTwitchClientSecret',
  'portalDiscordClientSecret',
  'portalYoutubeClientSecret',
  'portalOidcProviders',
  'oidcClientSecret',
  'otlpHeaders',
];

/** Error for an invalid setting. The message contains the setting's name and valid values. */
export class ConfigError extends OperatorError {}

/** @throws ConfigError naming every invalid setting */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = [];
  const entries = Object.entries(settings).map(([key, setting]) => {
    const isSecret = (secretSettings as readonly string[]).includes(key);
    let given: GivenSetting = { subject: '', text: '' };
    try {
      given = isSecret
        ? givenSecret(setting.name, environment)
        : { subject: setting.name, text: environment[setting.name]?.trim() ?? '' };
      return [key, setting.parse(given.text || setting.fallback)];
    } catch (error) {
      const shown = isSecret ? '' : ` (it is ${JSON.stringify(given.text)})`;
      problems.push(`${given.subject} ${error instanceof Error ? error.message : error}${shown}`.trim());
      return [key, null];
    }
  });
  const config = Object.freeze(Object.fromEntries(entries)) as Config;
  if (config.oidcIssuer && !(config.oidcClientId && config.oidcClientSecret))
    problems.push('OIDC_ISSUER also requires OIDC_CLIENT_ID and OIDC_CLIENT_SECRET');
  problems.push(...problemsOfProviders(config));
  if (config.portalUrl && config.smtpUrl === null && !problems.some((each) => each.startsWith('SMTP_URL')))
    problems.push('PORTAL_URL also requires SMTP_URL, because creators sign in with emailed codes');
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return config;
}

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
  upgradesFrom: string;
};

export const { version } = manifest;

/** Oldest version whose database this version can migrate. */
export const { upgradesFrom } = manifest;
