import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { MembershipId } from '../../../platform/database/tables.generated.ts';
import { saveDays } from '../checkpoint.ts';
import type { Check, Unit } from './check.ts';
import { compareGroups } from './compare-groups.ts';
import { compareHours } from './compare-hours.ts';
import { compareUnits } from './compare-units.ts';
import { movesOfCells } from './moves.ts';
import { piecesOf } from './pieces-of.ts';
import { type Day, type Days, readDays } from './read-days.ts';
import type { Finding } from './rules.ts';

/**
 * Compares members' rollups with their rows, and groups' rollups and counts with the members' rollups. For each day of
 * a group that has changed since the last comparison or whose sums differ, compares only the members that changed.
 * @returns the first difference, or null
 */
export async function checkDays(check: Check): Promise<Finding | null> {
  for (let after: Day | null = null; ; ) {
    const { days, next }: Days = await readDays(check, after);
    check.coverage.ofDays += days.length;
    const moved = days.filter(({ hasMoved }) => hasMoved);
    for (const some of piecesOf(moved, ({ cells }) => cells, check.snapshots.rows.value)) {
      const finding = await checkDaySet(check, some);
      if (finding !== null) return finding;
    }
    if (next === null) return null;
    after = next;
  }
}

/**
 * Compares the changed members on the given days and saves the days that agree. Hourly counts are compared with the
 * rows only when the whole day is compared, but their daily sums are always compared. Sums are compared after the
 * members' rollups, so that rows posted in between are left to the next run.
 */
async function checkDaySet(check: Check, days: readonly Day[]): Promise<Finding | null> {
  const { snapshots, coverage } = check;
  const { units } = await snapshots.read(snapshots.rows, (tx) => readUnits(tx, check, days));
  const moved = units.filter(({ hasMoved }) => hasMoved);
  const compared: Unit[] = units.filter(({ hasMoved }) => !hasMoved);
  const partlyCompared = new Set(compared.map(({ groupId, day }) => JSON.stringify([groupId, day])));
  for (const piece of piecesOf(moved, ({ rows }) => rows + 1, snapshots.rows.value)) {
    const { finding, seen } = await snapshots.read(snapshots.rows, (tx) => compareUnits(tx, check, piece));
    if (finding !== null) return finding;
    coverage.rows += piece.reduce((sum, { rows }) => sum + rows, 0);
    compared.push(...seen);
    check.progress();
  }
  const whole = days.filter(({ groupId, day }) => !partlyCompared.has(JSON.stringify([groupId, day])));
  const finding = (await compareHours(check, whole)) ?? (await compareGroups(check, days));
  if (finding !== null) return finding;
  coverage.days += days.length;
  if (check.savesProgress) snapshots.afterSnapshot((db) => saveDays(db, check.publisherId, compared));
  return null;
}

/**
 * Reads the members with earnings on the given days, and determines which have changed. A member who was compared
 * before but no longer has a rollup counts as changed.
 */
async function readUnits(tx: Tx, { publisherId, all }: Check, days: readonly Day[]) {
  const { rows } = await sql<{
    group_id: string;
    day: string;
    membership_id: MembershipId;
    row_count: bigint;
    moves: bigint;
    has_moved: boolean;
  }>`
    select d.group_id, to_char(d.day, 'YYYY-MM-DD') as day, u.membership_id, coalesce(u.row_count, 0)::bigint as row_count,
           coalesce(u.moves, 0)::bigint as moves, ${all} or not d.agrees or u.has_moved as has_moved
    from unnest(
      ${days.map(({ groupId }) => groupId)}::text[],
      ${days.map(({ day }) => day)}::date[],
      ${days.map(({ agrees }) => agrees)}::boolean[]
    ) as d (group_id, day, agrees)
    left join ledger_check_day c on c.publisher_id = ${publisherId} and c.group_id = d.group_id and c.day = d.day
    cross join lateral (
      select coalesce(e.membership_id, k.membership_id) as membership_id, e.row_count, e.moves,
             e.moves is distinct from k.moves as has_moved
      from (
        select membership_id, sum(all_count) as row_count, ${movesOfCells} as moves
        from earning_rollup
        where publisher_id = ${publisherId} and group_id = d.group_id and day = d.day
        group by membership_id
      ) e
      full join unnest(c.membership_ids, c.membership_moves) as k (membership_id, moves) on k.membership_id = e.membership_id
    ) u
    order by d.group_id, d.day, u.membership_id`.execute(tx);
  const units: Unit[] = rows.map((row) => ({
    groupId: row.group_id,
    day: row.day,
    membershipId: row.membership_id,
    rows: Number(row.row_count),
    moves: row.moves,
    hasMoved: row.has_moved,
  }));
  return { units, taken: units.length };
}
