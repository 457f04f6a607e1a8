import { sql } from 'kysely';
import type { LRUCache } from 'lru-cache';
import { boundedCache } from '../platform/bounded-cache.ts';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { ScheduleId, TierId } from '../platform/database/tables.generated.ts';
import type { Program } from '../publishers/programs.ts';

/** Shares that a schedule offers to all members and to a tier; null for a share that it doesn't offer. */
export interface CoveringSchedule {
  readonly scheduleId: ScheduleId;
  readonly shareMillionths: number | null;
  readonly tierShareMillionths: number | null;
}

/** Group's rows, with the tiers of the credited members. */
export interface DatedRows<Row> {
  groupId: string;
  rows: readonly Row[];
  tierOf(row: Row): TierId | null;
}

/**
 * Time range covered by a single schedule of a group or by none. Schedules don't overlap, so each time is in exactly
 * one stretch.
 */
interface Stretch {
  /** Start of the half-open range [from, until), in milliseconds. */
  readonly from: number;
  readonly until: number;
  readonly schedule: Omit<CoveringSchedule, 'tierShareMillionths'> | null;
}

interface ScheduleCache {
  /** Stretches by group, earliest first. */
  readonly stretches: Map<string, readonly Stretch[]>;
  readonly tierShares: LRUCache<string, number | 'none'>;
}

// Cached per program version, like codes, because every change to a schedule changes the version.
const caches = new WeakMap<Program, ScheduleCache>();
const maxCachedStretches = 10_000;
const maxCachedTierShares = 100_000;

/**
 * Returns the schedules that cover the rows' dates. A schedule with a zero-length window doesn't cover any.
 * @returns schedules by row, without rows that no schedule covers
 */
export async function coveringSchedules<Row extends { readonly transactionDate: Date }>(
  db: Db | Tx,
  program: Program,
  { groupId, rows, tierOf }: DatedRows<Row>,
): Promise<ReadonlyMap<Row, CoveringSchedule>> {
  const cache = caches.get(program) ?? {
    stretches: new Map(),
    tierShares: boundedCache<number | 'none'>(maxCachedTierShares),
  };
  caches.set(program, cache);
  const { publisherId } = program;
  const times = rows.map(({ transactionDate }) => transactionDate.getTime());
  const stretches = await stretchesOf(db, { publisherId, groupId, cache }, times);
  const covered: Covered<Row>[] = [];
  for (const [place, row] of rows.entries()) {
    const schedule = stretchAt(stretches, times[place] ?? 0)?.schedule ?? null;
    if (schedule !== null) covered.push({ row, schedule, tierId: tierOf(row) });
  }
  if (covered.length === 0) return new Map();
  const tierShares = await tierSharesOf(db, publisherId, cache, covered);
  return new Map(
    covered.map((each) => {
      const tierShareMillionths = tierShares.get(tierKey(each)) ?? null;
      return [each.row, { ...each.schedule, tierShareMillionths }];
    }),
  );
}

interface Covered<Row> {
  row: Row;
  schedule: NonNullable<Stretch['schedule']>;
  tierId: TierId | null;
}

const tierKey = ({ schedule, tierId }: Covered<unknown>): string => `${schedule.scheduleId} ${tierId}`;

/** Returns a group's stretches that include all given times, from the cache or the database. */
async function stretchesOf(
  db: Db | Tx,
  { publisherId, groupId, cache }: { publisherId: string; groupId: string; cache: ScheduleCache },
  times: readonly number[],
): Promise<readonly Stretch[]> {
  const cached = cache.stretches.get(groupId) ?? [];
  const unknown = times.filter((ms) => stretchAt(cached, ms) === undefined);
  if (unknown.length === 0) return cached;
  const dates = unknown.map((ms) => new Date(ms));
  const read = await readStretches(db, publisherId, groupId, dates);
  const byStart = new Map([...cached, ...read].map((stretch) => [stretch.from, stretch]));
  const stretches = [...byStart.values()].sort((one, other) => one.from - other.from);
  cache.stretches.set(groupId, stretches.length > maxCachedStretches ? [] : stretches);
  return stretches;
}

/** Finds the stretch that contains a time; undefined if it isn't cached. */
function stretchAt(stretches: readonly Stretch[], ms: number): Stretch | undefined {
  let low = 0;
  let high = stretches.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((stretches[middle]?.from ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  const found = stretches[low - 1];
  return found !== undefined && ms < found.until ? found : undefined;
}

async function readStretches(
  db: Db | Tx,
  publisherId: string,
  groupId: string,
  dates: readonly Date[],
): Promise<Stretch[]> {
  const windows = sql`
    scheduled_share
    where publisher_id = ${publisherId} and group_id = ${groupId} and deleted_at is null and starts_at < ends_at`;
  const { rows } = await sql<{
    schedule_id: ScheduleId | null;
    share_millionths: number | null;
    starts_at: Date | null;
    ends_at: Date | null;
    is_covered: boolean;
    next_starts_at: Date | null;
  }>`
    select latest.*, coalesce(latest.ends_at > asked.at, false) as is_covered, next.starts_at as next_starts_at
    from unnest(${dates}::timestamptz[]) as asked (at)
    left join lateral (
      select schedule_id, share_millionths, starts_at, ends_at
      from ${windows} and starts_at <= asked.at
      order by starts_at desc
      limit 1
    ) latest on true
    left join lateral (
      select starts_at
      from ${windows} and starts_at > asked.at
      order by starts_at
      limit 1
    ) next on true`.execute(db);
  return rows.map((row) => {
    const { schedule_id: scheduleId, starts_at, ends_at, next_starts_at } = row;
    if (row.is_covered && scheduleId !== null && starts_at !== null && ends_at !== null) {
      const schedule = { scheduleId, shareMillionths: row.share_millionths };
      return { from: starts_at.getTime(), until: ends_at.getTime(), schedule };
    }
    return {
      from: ends_at?.getTime() ?? Number.NEGATIVE_INFINITY,
      until: next_starts_at?.getTime() ?? Number.POSITIVE_INFINITY,
      schedule: null,
    };
  });
}

/** Returns tier shares in millionths by `tierKey`; null for a tier without a share in the schedule. */
async function tierSharesOf(
  db: Db | Tx,
  publisherId: string,
  { tierShares: cached }: ScheduleCache,
  covered: readonly Covered<unknown>[],
): Promise<ReadonlyMap<string, number | null>> {
  const shares = new Map<string, number | null>();
  const unknown = new Map<string, Covered<unknown>>();
  for (const each of covered) {
    if (each.tierId === null) continue;
    const key = tierKey(each);
    const share = cached.get(key);
    if (share === undefined) unknown.set(key, each);
    else shares.set(key, share === 'none' ? null : share);
  }
  if (unknown.size === 0) return shares;
  const asked = [...unknown.values()];
  const { rows } = await sql<{ key: string; share_millionths: number }>`
    select asked.key, x.share_millionths
    from (
      select schedule_id, tier_id, share_millionths from scheduled_tier_share where publisher_id = ${publisherId}
    ) x
    join unnest(${[...unknown.keys()]}::text[],
                ${asked.map(({ schedule }) => schedule.scheduleId)}::text[],
                ${asked.map(({ tierId }) => tierId)}::uuid[]) as asked (key, schedule_id, tier_id)
      on asked.schedule_id = x.schedule_id and asked.tier_id = x.tier_id`.execute(db);
  const read = new Map(rows.map(({ key, share_millionths }) => [key, share_millionths]));
  for (const key of unknown.keys()) {
    cached.set(key, read.get(key) ?? 'none');
    shares.set(key, read.get(key) ?? null);
  }
  return shares;
}
