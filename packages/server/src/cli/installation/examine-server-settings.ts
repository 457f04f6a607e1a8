import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { bytesOf, serverSettings, serverSettingsPage } from '../../platform/database/server-settings.ts';
import type { Finding } from './finding.ts';

/** Below it everything fits into PostgreSQL's default memory, more or less, and its default settings do. */
const enoughPurchaseBytes = 1_000_000_000;
const leastWalBytes = bytesOf('4GB');
const defaultBufferBytes = bytesOf('128MB');
/** A base backup and a stop request one, too. */
const fewCheckpoints = 5;
const firstWithCheckpointer = 170_000;

interface Read {
  version: number;
  walBytes: number;
  walSize: string;
  compression: string;
  bufferBytes: number;
}

/**
 * Compares PostgreSQL's settings with what `purchaseBytes` of purchases need. An embedded database has them from this program.
 */
export async function examineServerSettings(
  db: Db,
  { purchaseBytes, isEmbedded }: { purchaseBytes: number; isEmbedded: boolean },
): Promise<Finding[]> {
  if (purchaseBytes < enoughPurchaseBytes)
    return [ok(`PostgreSQL's defaults suit purchases of less than 1 GB. What to set then: ${page}.`)];
  const { rows } = await sql<Read>`
    select current_setting('server_version_num')::int as version,
           pg_size_bytes(current_setting('max_wal_size'))::float8 as "walBytes",
           current_setting('max_wal_size') as "walSize",
           current_setting('wal_compression') as compression,
           pg_size_bytes(current_setting('shared_buffers'))::float8 as "bufferBytes"`.execute(db);
  const [read] = rows;
  if (read === undefined) return [];
  const found: Finding[] = [];
  if (read.walBytes < leastWalBytes)
    found.push(
      warning(
        'max_wal_size',
        `max_wal_size is ${read.walSize}: purchases cause checkpoints, after which each writes many times as much. Set it to ${serverSettings.max_wal_size}`,
      ),
    );
  if (read.compression === 'off')
    found.push(
      warning(
        'wal_compression',
        `wal_compression is off: the pages that are written after a checkpoint take twice the room. Set it to ${serverSettings.wal_compression}, or to pglz where the server does not know ${serverSettings.wal_compression}`,
      ),
    );
  if (read.bufferBytes <= defaultBufferBytes && !isEmbedded)
    found.push(
      warning(
        'shared_buffers',
        `shared_buffers is ${Math.round(read.bufferBytes / 1_024 ** 2)}MB: the indexes of purchases do not fit. Set it to a quarter of the server's memory, and restart the server`,
      ),
    );
  found.push(...(await checkCheckpoints(db, read.version, isEmbedded)));
  return found.length > 0 ? found : [ok("PostgreSQL's settings suit what is stored.")];
}

async function checkCheckpoints(db: Db, version: number, isEmbedded: boolean): Promise<Finding[]> {
  const counts =
    version >= firstWithCheckpointer
      ? sql<Checkpoints>`select num_timed::float8 as timed, num_requested::float8 as requested from pg_stat_checkpointer`
      : sql<Checkpoints>`select checkpoints_timed::float8 as timed, checkpoints_req::float8 as requested from pg_stat_bgwriter`;
  const { rows } = await counts.execute(db);
  const { timed = 0, requested = 0 } = rows[0] ?? {};
  if (requested <= timed || requested < fewCheckpoints) return [];
  const remedy = isEmbedded
    ? 'The embedded database takes no more; move to a server'
    : `Set max_wal_size to ${serverSettings.max_wal_size} or more and checkpoint_timeout to ${serverSettings.checkpoint_timeout}, then select pg_stat_reset_shared('${version >= firstWithCheckpointer ? 'checkpointer' : 'bgwriter'}')`;
  return [
    warning(
      'checkpoints',
      `${requested} checkpoints were requested and ${timed} came in time: max_wal_size is too small for what is written. ${remedy}`,
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
