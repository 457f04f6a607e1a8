import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { OperatorError } from './operator-error.ts';
import { asTyped } from './program-name.ts';
import { type ReplicaSettings, replicaSettings } from './replica-settings.ts';
import { parseSecretsKeys } from './secrets/secrets-keys.ts';
import { type GivenSetting, givenSecret } from './setting-files.ts';
import {
  databaseUrl,
  oidcIssuer,
  oneOf,
  publicUrl,
  type Setting,
  seconds,
  smtpUrl,
  wholeNumber,
  yesOrNo,
} from './setting-parsers.ts';
import { type TraceConfig, traceSettings } from './telemetry/trace-settings.ts';

/** The settings of one process, read once from the environment. Units end the names. */
export interface Config extends ReplicaSettings, TraceConfig {
  readonly databaseUrl: string | null;
  readonly databaseOwnerUrl: string | null;
  readonly secretsKeys: readonly Buffer[];
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** null: on the service's own port; 'off': nowhere. */
  readonly operationsPort: number | 'off' | null;
  readonly operationsHost: string | null;
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
  /** Its origin, without a slash at the end; null: whatever loopback name a browser uses. */
  readonly publicUrl: string | null;
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  readonly oidcIssuer: string | null;
  readonly oidcClientId: string;
  readonly oidcClientSecret: string;
  readonly oidcName: string;
  readonly oidcTrustEmail: boolean;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Every setting, in the order of docs/configuration.md, which is made from this table. */
export const settings: { readonly [Key in keyof Config]: Setting<Config[Key]> } = {
  databaseUrl: {
    name: 'DATABASE_URL',
    fallback: '',
    meaning:
      'PostgreSQL 15 to 18 to use, as `postgres://user:password@host:5432/database`, with `?sslmode=…` and the like as [managed-postgresql.md](managed-postgresql.md) says. Without it an embedded PostgreSQL runs in `DATA_DIR`.',
    parse: databaseUrl,
  },
  databaseOwnerUrl: {
    name: 'DATABASE_OWNER_URL',
    fallback: '',
    meaning: `The same database as the role that owns its tables, for \`${asTyped('migrate')}\` alone; the service needs none of its rights. Without it \`DATABASE_URL\` is used for both.`,
    parse: databaseUrl,
  },
  ...replicaSettings,
  secretsKeys: {
    name: 'SECRETS_KEY',
    fallback: '',
    meaning:
      'What secrets in the database are sealed with, needed with `DATABASE_URL`: 32 bytes in base64, as `openssl rand -base64 32` prints. Several with commas between: the first seals, all open. An embedded database has a key in `DATA_DIR/secrets.key`.',
    parse: parseSecretsKeys,
  },
  dataDir: {
    name: 'DATA_DIR',
    fallback: './data',
    meaning: 'Folder of the embedded database and its lock. Not used with `DATABASE_URL`.',
    parse: (text) => resolve(text),
  },
  host: {
    name: 'HOST',
    fallback: '127.0.0.1',
    meaning: 'Address to listen on; `0.0.0.0` for every network interface.',
    parse: (text) => text,
  },
  port: {
    name: 'PORT',
    fallback: '8080',
    meaning: 'Port to listen on; 0 picks a free one.',
    parse: wholeNumber(0, 65_535),
  },
  operationsPort: {
    name: 'OPERATIONS_PORT',
    fallback: '',
    meaning:
      'Port of its own for `/metrics`, `/docs` and `/openapi.json`, which then answers `/healthz` and `/readyz` too; 0 picks a free one, `off` switches the three off. Without it they are on `PORT`.',
    parse: (text) => (text === '' ? null : text === 'off' ? text : wholeNumber(0, 65_535)(text)),
  },
  operationsHost: {
    name: 'OPERATIONS_HOST',
    fallback: '',
    meaning: 'Address that `OPERATIONS_PORT` is listened to on; `HOST` without it.',
    parse: (text) => text || null,
  },
  logLevel: {
    name: 'LOG_LEVEL',
    fallback: 'info',
    meaning: `How much to log: ${logLevels.map((level) => `\`${level}\``).join(', ')}. At \`debug\` every request is a line.`,
    parse: oneOf(logLevels),
  },
  databasePoolSize: {
    name: 'DATABASE_POOL_SIZE',
    fallback: '10',
    meaning:
      'Connections of one process for what requests read and change. Recording (`RECORD_LANES`), look-ups, background work and readiness have their own.',
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
      'Commits that one process has under way at once for recording purchases, and of one publisher at most; each has a connection of its own.',
    parse: wholeNumber(1, 32),
  },
  recordQueueRows: {
    name: 'RECORD_QUEUE_ROWS',
    fallback: '20000',
    meaning:
      'Rows that may wait to be recorded in one process; a publisher alone may have four fifths of them, and past its share its requests are answered 503 with `Retry-After`.',
    parse: wholeNumber(1_000, 1_000_000),
  },
  settleIntervalMs: {
    name: 'SETTLE_INTERVAL_MS',
    fallback: '1000',
    meaning:
      'Time between two rounds of settling, and of checking bounties, while there is something to do: so long purchases wait to be settled together. A process that has had nothing to do for two seconds rests, looks once a second for all that others left, and wakes at once for what it records itself.',
    parse: wholeNumber(10, 60_000),
  },
  webhookIntervalMs: {
    name: 'WEBHOOK_INTERVAL_MS',
    fallback: '200',
    meaning:
      'Time between two looks for webhooks to send, while there were some lately. A process at rest looks once a second, and at once when it has something to tell itself.',
    parse: wholeNumber(10, 60_000),
  },
  webhookMaxTaken: {
    name: 'WEBHOOK_MAX_TAKEN',
    fallback: '2000',
    meaning:
      'Webhooks that one process has in hand at once. Endpoints that have not delivered lately share three quarters of it. Requests without an answer after half a second are beside it, twice as many at most, each with a socket.',
    parse: wholeNumber(10, 20_000),
  },
  webhookKeepDays: {
    name: 'WEBHOOK_KEEP_DAYS',
    fallback: '30',
    meaning:
      'Days that events and their deliveries are kept, to be looked at and replayed; then the day is dropped as a whole, unless something of it, or of a day before, is still on its way.',
    parse: wholeNumber(5, 3_650),
  },
  customEventKeepDays: {
    name: 'CUSTOM_EVENT_KEEP_DAYS',
    fallback: '90',
    meaning:
      'Days that custom events of bounties are kept, so that a bounty that is defined or extended later counts them too; then the day is dropped as a whole. What they have counted for stays, and so do their ids.',
    parse: wholeNumber(1, 730),
  },
  webhookAllowPrivateTargets: {
    name: 'WEBHOOK_ALLOW_PRIVATE_TARGETS',
    fallback: 'false',
    meaning:
      'Set to `true` to send webhooks to private, loopback and link-local addresses too: for development, or where receivers are inside.',
    parse: yesOrNo,
  },
  requestTimeoutMs: {
    name: 'REQUEST_TIMEOUT_SECONDS',
    fallback: '30',
    meaning: 'Time a client has to send a whole request.',
    parse: seconds(1, 600),
  },
  answerTimeoutMs: {
    name: 'ANSWER_TIMEOUT_SECONDS',
    fallback: '15',
    meaning: 'Time in which a client must take some more of its answer, before its connection is ended.',
    parse: seconds(1, 600),
  },
  maxConnections: {
    name: 'MAX_CONNECTIONS',
    fallback: '2000',
    meaning:
      'Connections of clients to one process. Past it the oldest on which no good key was sent is ended for a new one, or else one that idles.',
    parse: wholeNumber(10, 100_000),
  },
  maxConnectionsPerAddress: {
    name: 'MAX_CONNECTIONS_PER_ADDRESS',
    fallback: '500',
    meaning:
      'The same for one client address (one /64 network of IPv6). Proxies in `TRUST_PROXY` are not bounded by it.',
    parse: wholeNumber(1, 100_000),
  },
  shutdownDelayMs: {
    name: 'SHUTDOWN_DELAY_SECONDS',
    fallback: '0',
    meaning:
      'Time after SIGTERM or Ctrl-C in which `/readyz` is 503 and everything else is answered as before, so that a balancer sends nothing more when the listener closes.',
    parse: seconds(0, 600),
  },
  shutdownTimeoutMs: {
    name: 'SHUTDOWN_TIMEOUT_SECONDS',
    fallback: '20',
    meaning: 'Time that requests under way have to finish after SIGTERM or Ctrl-C.',
    parse: seconds(1, 600),
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    fallback: '',
    meaning:
      'Addresses or networks, with commas between, of the proxies whose `X-Forwarded-For` names the client, such as `10.0.0.0/8`.',
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
      'Requests a second with a bad API key that one client address may send before the answer is 429.',
    parse: wholeNumber(1, 1_000_000),
  },
  requestsPerSecondPerKey: {
    name: 'REQUESTS_PER_SECOND_PER_KEY',
    fallback: '0',
    meaning: 'Requests a second that one API key may make in one process; 0 means no limit.',
    parse: wholeNumber(0, 10_000_000),
  },
  codeMissesPerMinute: {
    name: 'CODE_MISSES_PER_MINUTE',
    fallback: '120',
    meaning:
      'Look-ups a minute of codes that do not exist, and with a public key of members and bounties that do not, from one key and client address, before the answer is 429.',
    parse: wholeNumber(1, 1_000_000),
  },
  linkMissesPerMinute: {
    name: 'LINK_MISSES_PER_MINUTE',
    fallback: '60',
    meaning:
      'Links of accounts to players a minute that may fail with one key in one process, before the answer is 429; those that succeed are not counted.',
    parse: wholeNumber(1, 1_000_000),
  },
  linkMissesPerMinutePerPlayer: {
    name: 'LINK_MISSES_PER_MINUTE_PER_PLAYER',
    fallback: '5',
    meaning:
      'The same for each `playerId`, asked first: so that one player who mistypes, or guesses, does not use up the allowance of the key.',
    parse: wholeNumber(1, 1_000_000),
  },
  revShareOne: {
    name: 'REV_SHARE_ONE',
    fallback: 'contract',
    meaning:
      'What a scheduled revenue share of exactly 1 means: `contract` stores 100 percent, as the interface documents; `one-percent` stores one.',
    parse: oneOf(['contract', 'one-percent']),
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    fallback: '',
    meaning:
      'Where browsers find this installation, such as `https://creators.example.com`: people sign in there and nowhere else. Without it they can on this machine alone, at `http://localhost:8080`.',
    parse: publicUrl,
  },
  smtpUrl: {
    name: 'SMTP_URL',
    fallback: '',
    meaning:
      'Where mail is handed in, as `smtps://user:password@mail.example:465` or `smtp://…:587`. Without it invitations and new passwords are links that a screen or a command shows.',
    parse: smtpUrl,
  },
  mailFrom: {
    name: 'MAIL_FROM',
    fallback: 'Creator attribution <no-reply@localhost>',
    meaning: 'Who mail is from.',
    parse: (text) => text,
  },
  oidcIssuer: {
    name: 'OIDC_ISSUER',
    fallback: '',
    meaning:
      'An OpenID Connect provider at which people of the staff may sign in, by its issuer, such as `https://accounts.google.com`; it is asked for the rest ([sign-in.md](sign-in.md)).',
    parse: oidcIssuer,
  },
  oidcClientId: {
    name: 'OIDC_CLIENT_ID',
    fallback: '',
    meaning: 'What the provider calls this installation.',
    parse: (text) => text,
  },
  oidcClientSecret: {
    name: 'OIDC_CLIENT_SECRET',
    fallback: '',
    meaning: 'The secret that the provider gave to this installation.',
    parse: (text) => text,
  },
  oidcName: {
    name: 'OIDC_NAME',
    fallback: 'single sign-on',
    meaning: 'What the button calls the provider.',
    parse: (text) => text,
  },
  oidcTrustEmail: {
    name: 'OIDC_TRUST_EMAIL',
    fallback: 'false',
    meaning:
      'Set to `true` for a provider of your own organisation that does not say which addresses it verified (Microsoft Entra ID, of one tenant): whoever has an invited address there is let in.',
    parse: yesOrNo,
  },
  ...traceSettings,
};

/** These hold passwords and keys: they are never repeated, and may be in files (`setting-files.ts`). */
export const secretSettings: readonly (keyof Config)[] = [
  'databaseUrl',
  'databaseOwnerUrl',
  'databaseReadUrl',
  'secretsKeys',
  'smtpUrl',
  'oidcClientSecret',
  'otlpHeaders',
];

/** A setting that cannot be used; its message names the setting and what it must be. */
export class ConfigError extends OperatorError {}

/** @throws ConfigError naming every wrong setting at once */
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
    problems.push('OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET beside it');
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return config;
}

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
  upgradesFrom: string;
};

/** The version of this program, from its package.json. */
export const { version } = manifest;

/** The oldest version whose database this program brings up to date. */
export const { upgradesFrom } = manifest;
