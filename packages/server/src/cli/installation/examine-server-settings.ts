import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { bytesOf, serverSettings, serverSettingsPage } from '../../platform/database/server-settings.ts';
import type { Finding } from './finding.ts';

/** Size of stored purchases below which PostgreSQL's default settings are sufficient. */
const minPurchaseBytes = 1_000_000_000;
const minWalBytes = bytesOf('4GB');
const defaultBufferBytes = bytesOf('128MB');
/**
 * Minimum number of requested checkpoints to report. A few are normal, since base backups and shutdowns also
 * request checkpoints.
 */
const minCheckpoints = 5;
const firstWithCheckpointer = 170_000;

interface Read {
  version: number;
  walBytes: number;
  walSize: string;
  compression: string;
  bufferBytes: number;
}

/**
 * Checks that PostgreSQL's settings suit the volume of purchases. An embedded database is configured by the
 * service itself.
 */
export async function examineServerSettings(
  db: Db,
  { purchaseBytes, isEmbedded }: { purchaseBytes: number; isEmbedded: boolean },
): Promise<Finding[]> {
  if (purchaseBytes < minPurchaseBytes)
    return [
      ok(`PostgreSQL's defaults are sufficient for less than 1 GB of purchases. For more, see ${page}.`),
    ];
  const { rows } = await sql<Read>`
    select current_setting('server_version_num')::int as version,
           pg_size_bytes(current_setting('max_wal_size'))::float8 as "walBytes",
           current_setting('max_wal_size') as "walSize",
           current_setting('wal_compression') as compression,
           pg_size_bytes(current_setting('shared_buffers'))::float8 as "bufferBytes"`.execute(db);
  const [read] = rows;
  if (read === undefined) return [];
  const found: Finding[] = [];
  if (read.walBytes < minWalBytes)
    found.push(
      warning(
        'max_wal_size',
        `max_wal_size is ${read.walSize}: recording purchases triggers frequent checkpoints, and PostgreSQL writes much more WAL after each checkpoint. Set it to ${serverSettings.max_wal_size}`,
      ),
    );
  if (read.compression === 'off')
    found.push(
      warning(
        'wal_compression',
        `wal_compression is off: pages written after a checkpoint take twice the space. Set it to ${serverSettings.wal_compression}, or to pglz if the server does not support ${serverSettings.wal_compression}`,
      ),
    );
  if (read.bufferBytes <= defaultBufferBytes && !isEmbedded)
    found.push(
      warning(
        'shared_buffers',
        `shared_buffers is ${Math.round(read.bufferBytes / 1_024 ** 2)}MB: the purchase indexes don't fit. Set it to a quarter of the server's memory, and restart the server`,
      ),
    );
  found.push(...(await checkCheckpoints(db, read.version, isEmbedded)));
  return found.length > 0 ? found : [ok("PostgreSQL's settings suit the stored data.")];
}

async function checkCheckpoints(db: Db, version: number, isEmbedded: boolean): Promise<Finding[]> {
  const counts =
    version >= firstWithCheckpointer
      ? sql<Checkpoints>`select num_timed::float8 as timed, num_requested::float8 as requested from pg_stat_checkpointer`
      : sql<Checkpoints>`select checkpoints_timed::float8 as timed, checkpoints_req::float8 as requested from pg_stat_bgwriter`;
  const { rows } = await counts.execute(db);
  const { timed = 0, requested = 0 } = rows[0] ?? {};
  if (requested <= timed || requested < minCheckpoints) return [];
  const remedy = isEmbedded
    ? 'The embedded database has reached its limit. Move to a PostgreSQL server'
    : `Set max_wal_size to ${serverSettings.max_wal_size} or more and checkpoint_timeout to ${serverSettings.checkpoint_timeout}, then select pg_stat_reset_shared('${version >= firstWithCheckpointer ? 'checkpointer' : 'bgwriter'}')`;
  return [
    warning(
      'checkpoints',
      `${requested} checkpoints were forced and ${timed} were scheduled: max_wal_size is too small for the write load. ${remedy}`,
    ),
  ];
}

interface Checkpoints {
  timed: number;
  requested: number;
}

const page = serverSettingsPage;
const ok = (message: string): Finding => ({ check: 'settings', state: 'ok', message });
const warning = (check: string, message: string): Finding => ({
  check,
  state: 'warning',
  message: `${message} (${page}).`,
});
