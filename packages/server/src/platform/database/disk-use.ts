import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';
import { hasCitus } from './has-citus.ts';

/** Bytes on disk, including indexes. */
export interface DiskUse {
  /** Exact sizes by kind of data. */
  tables: ReadonlyMap<string, number>;
  /** Estimated sizes for the largest publishers, largest first. */
  publishers: readonly { publisherId: string; bytes: number }[];
}

const publishersShown = 20;
/** Number of pages to sample from partitioned tables, which don't have statistics. At most 2 MB are read. */
const pagesSampled = 256;
const patienceMs = 1_000;

/** Prefixes of table names for each kind of data. The first match applies. */
const families: readonly (readonly [name: string, begins: readonly string[]])[] = [
  ['purchases', ['attribution', 'payment', 'refund_record', 'unposted']],
  ['webhooks', ['webhook_']],
  ['rejected requests', ['refused_request']],
  ['audit log', ['audit_entry']],
  ['custom events', ['bounty_event']],
  ['bounties', ['bounty', 'progress_reward', 'reward_payment', 'player_first_purchase']],
  [
    'ledger and payouts',
    ['ledger_', 'posting', 'payout_', 'clawback', 'member_balance', 'earning_', 'group_rollup'],
  ],
  ['members and programs', ['membership', 'former_player', 'creator_', 'group_', 'global_', 'credited_']],
];
const others = 'others';

interface TableSize {
  table: string;
  bytes: number;
  /** Number of pages that the rows occupy, without indexes. */
  pages: number;
  /** True if this table doesn't have statistics because its rows are in partitions or on other nodes. */
  isSampled: boolean;
}

/** SQL expressions that measure a table. `c` is the table's row in pg_class. */
interface Measures {
  /** Bytes, including indexes. */
  total: RawBuilder<number>;
  /** Bytes of the rows, without indexes. */
  rows: RawBuilder<number>;
  /** True if the rows are distributed by publisher across other nodes. */
  isElsewhere: RawBuilder<boolean>;
}

const ofOneNode: Measures = {
  total: sql`pg_total_relation_size(c.oid)`,
  rows: sql`pg_relation_size(c.oid)`,
  isElsewhere: sql`false`,
};

/**
 * Expressions for Citus. The coordinator stores only empty copies of the tables that are distributed to other
 * nodes.
 */
const ofAllNodes: Measures = {
  total: sql`case when d.logicalrelid is null then pg_total_relation_size(c.oid) else citus_total_relation_size(c.oid) end`,
  rows: sql`case when d.logicalrelid is null then pg_relation_size(c.oid) else citus_relation_size(c.oid) end`,
  isElsewhere: sql`coalesce(d.partmethod = 'h', false)`,
};
const joinSpread = sql`left join pg_dist_partition d on d.logicalrelid = c.oid`;

/** Reads the stored bytes from file sizes, planner statistics and samples, without scanning a table. */
export async function readDiskUse(db: Db): Promise<DiskUse> {
  const sizes = await readSizes(db, await hasCitus(db));
  const tables = new Map<string, number>(
    [...families.map(([name]) => name), others].map((name) => [name, 0]),
  );
  for (const { table, bytes } of sizes) {
    const name =
      families.find(([, begins]) => begins.some((begin) => table.startsWith(begin)))?.[0] ?? others;
    tables.set(name, (tables.get(name) ?? 0) + bytes);
  }
  const publishers = new Map<string, number>();
  const add = (publisherId: string, bytes: number): void =>
    void publishers.set(publisherId, (publishers.get(publisherId) ?? 0) + bytes);
  for (const { publisherId, bytes } of await readShares(db)) add(publisherId, bytes);
  for (const size of sizes)
    if (size.isSampled && size.pages > 0)
      for (const { publisherId, share } of await sampleShares(db, size)) add(publisherId, share * size.bytes);
  return {
    tables,
    publishers: [...publishers]
      .map(([publisherId, bytes]) => ({ publisherId, bytes: Math.round(bytes) }))
      .sort((one, other) => other.bytes - one.bytes)
      .slice(0, publishersShown),
  };
}

/** The size of a partitioned table is the sum of its partitions. */
async function readSizes(db: Db, isCitus: boolean): Promise<TableSize[]> {
  const measures = isCitus ? ofAllNodes : ofOneNode;
  const { rows } = await sql<TableSize>`
    select coalesce(p.relname, c.relname)::text as table, bool_or(p.oid is not null or ${measures.isElsewhere}) as "isSampled",
           sum(${measures.total})::float8 as bytes,
           sum(${measures.rows} / current_setting('block_size')::int)::float8 as pages
    from pg_class c
    left join pg_inherits i on i.inhrelid = c.oid
    left join pg_class p on p.oid = i.inhparent
    ${isCitus ? joinSpread : sql``}
    where c.relkind = 'r'
      and c.relnamespace = (select relnamespace from pg_class where oid = to_regclass('schema_migration'))
    group by coalesce(p.relname, c.relname)`.execute(db);
  return rows;
}

/**
 * Estimates each publisher's part of each table from planner statistics, which list the hundred most frequent
 * publishers.
 */
async function readShares(db: Db): Promise<{ publisherId: string; bytes: number }[]> {
  const { rows } = await sql<{ publisherId: string; bytes: number }>`
    select v.publisher_id as "publisherId", sum(v.share * pg_total_relation_size(c.oid))::float8 as bytes
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_stats s on s.schemaname = n.nspname and s.tablename = c.relname and s.attname = 'publisher_id' and not s.inherited
    cross join lateral unnest(s.most_common_vals::text::text[], s.most_common_freqs) as v (publisher_id, share)
    where c.relkind = 'r' and not c.relispartition
      and c.relnamespace = (select relnamespace from pg_class where oid = to_regclass('schema_migration'))
    group by v.publisher_id`.execute(db);
  return rows;
}

async function sampleShares(
  db: Db,
  { table, pages }: TableSize,
): Promise<{ publisherId: string; share: number }[]> {
  const percent = Math.min(100, (100 * pagesSampled) / pages);
  const { rows } = await sql<{ publisherId: string; share: number }>`
    select publisher_id as "publisherId", (count(*) / sum(count(*)) over ())::float8 as share
    from ${sql.table(table)} tablesample system (${sql.lit(percent)})
    group by publisher_id`.execute(db);
  return rows;
}

/**
 * Creates a function that returns the disk usage, which may be a few minutes old. Only the first caller waits for the
 * database, and for no more than a second.
 * @returns a function that returns null until the disk usage has been read
 */
export function cacheDiskUse(db: Db, everyMs: number): () => Promise<DiskUse | null> {
  let last: DiskUse | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  const read = async (): Promise<void> => {
    try {
      last = await readDiskUse(db);
      readAtMs = performance.now();
    } catch {
      // The database is down or busy. The next caller tries again.
    } finally {
      reading = null;
    }
  };
  return async () => {
    if (performance.now() - readAtMs > everyMs) reading ??= read();
    if (last === null) await Promise.race([reading, sleep(patienceMs, undefined, { ref: false })]);
    return last;
  };
}
