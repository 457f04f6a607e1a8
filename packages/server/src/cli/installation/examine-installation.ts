import pg from 'pg';
import { countSecrets } from '../../notifications/count-secrets.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Config, ConfigError } from '../../platform/config.ts';
import { explainConnectionError } from '../../platform/database/connections/explain-connection-error.ts';
import {
  defaultsBehindPooler,
  describePoolerDefaults,
} from '../../platform/database/connections/pooler-defaults.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { examineRights } from '../../platform/database/schema/examine-rights.ts';
import { schemaState } from '../../platform/database/schema/schema-records.ts';
import { asTyped } from '../../platform/program-name.ts';
import { requireKey } from '../../platform/secrets/sealer.ts';
import { checkReplica } from './check-replica.ts';
import { examineStorage } from './examine-storage.ts';
import type { Finding } from './finding.ts';
import { type Installation, joinInstallation } from './open-installation.ts';

const maxClockSkewMs = 2_000;

/** Examines an installation's database and settings without changing anything. */
export async function examineInstallation(config: Config): Promise<Finding[]> {
  let installation: Awaited<ReturnType<typeof joinInstallation>>;
  try {
    installation = await joinInstallation(config);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const failed = config.databaseUrl === null ? "Couldn't start the embedded database. " : '';
    return [problem('database', `${failed}${reason(error)}`)];
  }
  const client = new pg.Client({
    ...installation.connection,
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    await installation.close();
    return [
      problem('database', explainConnectionError(error) ?? `Couldn't reach the database: ${reason(error)}`),
    ];
  }
  try {
    const where = installation.isEmbedded
      ? `embedded, in ${config.dataDir}`
      : `${client.host}:${client.port}`;
    const schema = await checkSchema(client);
    return [
      ok('database', `Reached (${where}).`),
      await checkVersion(client),
      await checkEncoding(client),
      await checkExtensions(client),
      await checkPooler(client),
      await checkWritable(client),
      schema,
      ...(schema.state === 'ok'
        ? [
            await checkWebhooks(client),
            await checkSecrets(installation),
            ...(await examineStorage(installation, systemClock.now())),
          ]
        : []),
      await checkClock(client),
      ...(await checkDurability(client)),
      ...(await checkRole(client)),
      ...(await checkReplica(config, installation.connection)),
    ];
  } finally {
    await client.end().catch(() => undefined);
    await installation.close();
  }
}

async function checkVersion(client: pg.Client): Promise<Finding> {
  const version = await setting(client, 'server_version');
  const major = Number(version.split('.')[0]);
  return major >= 15 && major <= 18
    ? ok('version', `PostgreSQL ${version}.`)
    : problem('version', `PostgreSQL ${version} is not supported; use 15, 16, 17 or 18.`);
}

async function checkEncoding(client: pg.Client): Promise<Finding> {
  const encoding = await setting(client, 'server_encoding');
  return encoding === 'UTF8'
    ? ok('encoding', "The database's encoding is UTF-8.")
    : problem('encoding', `The database's encoding is ${encoding}. Recreate it with encoding 'UTF8'.`);
}

async function checkExtensions(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ name: string; installed: string | null }>(
    "select name, installed_version as installed from pg_available_extensions where name in ('btree_gist', 'citus')",
  );
  const found = new Map(rows.map(({ name, installed }) => [name, installed]));
  if (!found.has('btree_gist')) {
    return problem(
      'extensions',
      "btree_gist is not available. Install PostgreSQL's contrib package on the database server.",
    );
  }
  return ok('extensions', `btree_gist is available${found.get('citus') ? '; Citus is in use' : ''}.`);
}

async function checkPooler(client: pg.Client): Promise<Finding> {
  const defaults = await defaultsBehindPooler(client);
  if (defaults === null) return ok('pooler', 'No pooler: each connection applies its own settings.');
  if (defaults.length === 0)
    return ok('pooler', 'A pooler is in use, and the database defaults behind it are suitable.');
  const finding = defaults.some(({ isWrong }) => isWrong) ? problem : warning;
  return finding('pooler', describePoolerDefaults(defaults));
}

async function checkWritable(client: pg.Client): Promise<Finding> {
  return (await setting(client, 'transaction_read_only')) === 'off'
    ? ok('writable', 'The database accepts writes.')
    : problem(
        'writable',
        'The database is read-only: it is a standby, or default_transaction_read_only is on. Reads work, but writes fail with 503.',
      );
}

async function checkSchema(client: pg.Client): Promise<Finding> {
  const state = await schemaState(client);
  switch (state.kind) {
    case 'current':
      return ok('schema', 'Up to date.');
    case 'empty':
      return problem('schema', `The database is empty. Run \`${asTyped('migrate')}\`.`);
    case 'behind':
      return problem('schema', `Missing: ${state.missing.join(', ')}. Run \`${asTyped('migrate')}\`.`);
    case 'ahead':
      return ok(
        'schema',
        `The schema is newer than this version, which can still run on it. Unknown migrations: ${state.unknown.join(', ')}.`,
      );
    case 'unknown':
      return problem('schema', `The database cannot be used: ${state.reason}.`);
  }
}

const patienceMs = 60_000;

async function checkWebhooks(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{
    failing: number;
    off: number;
  }>(`
    select count(*) filter (where is_enabled and failing_since is not null)::int as failing,
           count(*) filter (where not is_enabled and listener_seen_at is null and failing_since is not null)::int as off
    from webhook_endpoint`);
  const { failing = 0, off = 0 } = rows[0] ?? {};
  const workers = await numberOf(
    client,
    'select count(*)::int as n from webhook_worker where alive_until > clock_timestamp()',
  );
  const dueMs = await numberOf(
    client,
    `select extract(epoch from clock_timestamp() - min(next_attempt_at))::float8 * 1000 as n
     from webhook_delivery
     where worker_id is null`,
  );
  if (workers === 0 && dueMs !== null && dueMs > patienceMs)
    return warning(
      'webhooks',
      `Events are waiting, but no process is delivering them. Run \`${asTyped('serve')}\`, or \`${asTyped('serve --role worker')}\`.`,
    );
  return failing + off > 0
    ? warning(
        'webhooks',
        `${failing} endpoint(s) are failing, and ${off} were disabled after failures. \`${asTyped('webhooks list')}\` shows them.`,
      )
    : ok('webhooks', 'No endpoints are failing.');
}

/**
 * Reads a number from one table. Citus can't sum across distributed tables in one statement
 * (docs/adr/0034-routing.md).
 */
async function numberOf(client: pg.Client, query: string): Promise<number | null> {
  const { rows } = await client.query<{ n: number | null }>(query);
  return rows[0]?.n ?? null;
}

async function checkSecrets({ connection, sealer }: Installation): Promise<Finding> {
  try {
    requireKey(sealer);
  } catch (error) {
    return problem('secrets', reason(error));
  }
  const database = openDatabase({
    connection,
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'attribution-command',
  });
  const counts = await countSecrets(database.db, sealer).finally(() => database.close());
  if (counts['unknown-key'] > 0)
    return problem(
      'secrets',
      `${counts['unknown-key']} secret(s) are sealed with a key that is not in SECRETS_KEY. Add that key after the first one.`,
    );
  if (counts.plain > 0)
    return problem(
      'secrets',
      `${counts.plain} secret(s) are not sealed. Run \`${asTyped('secrets rotate')}\`.`,
    );
  return counts['older-key'] > 0
    ? warning(
        'secrets',
        `${counts['older-key']} secret(s) are sealed with an older key. Run \`${asTyped('secrets rotate')}\` before you remove that key.`,
      )
    : ok('secrets', 'All secrets are sealed with the first key.');
}

async function checkClock(client: pg.Client): Promise<Finding> {
  const beforeMs = systemClock.now().getTime();
  const { rows } = await client.query<{ ms: string }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms',
  );
  const skewMs = Number(rows[0]?.ms) - (beforeMs + systemClock.now().getTime()) / 2;
  return Math.abs(skewMs) <= maxClockSkewMs
    ? ok('clock', 'The clocks of this machine and the database agree.')
    : problem(
        'clock',
        `The clocks of this machine and the database differ by ${Math.round(Math.abs(skewMs) / 1_000)} s. Synchronize both with NTP.`,
      );
}

async function checkDurability(client: pg.Client): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, meaning] of [
    ['fsync', 'a power failure can destroy the database'],
    ['full_page_writes', 'a power failure can destroy the database'],
    ['synchronous_commit', 'a crash can lose purchases that were confirmed'],
  ] as const) {
    const value = await setting(client, name);
    findings.push(
      value === 'off'
        ? problem(name, `${name} is off: ${meaning}. Set it to on.`)
        : ok(name, `${name} is ${value}.`),
    );
  }
  return findings;
}

async function checkRole(client: pg.Client): Promise<Finding[]> {
  const flaws = await examineRights(client);
  return flaws.length === 0
    ? [ok('role', "The service's role has exactly the rights that it needs.")]
    : flaws.map(({ isGrave, message }) => (isGrave ? problem : warning)('role', message));
}

async function setting(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client.query<{ value: string }>('select current_setting($1) as value', [name]);
  return rows[0]?.value ?? '';
}

const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message });
const warning = (check: string, message: string): Finding => ({ check, state: 'warning', message });
const problem = (check: string, message: string): Finding => ({ check, state: 'problem', message });
const reason = (error: unknown): string =>
  error instanceof Error ? error.message || String(error) : String(error);
