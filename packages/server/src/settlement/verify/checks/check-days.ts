import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { MembershipId } from '../../../platform/database/tables.generated.ts';
import { keepDays } from '../kept.ts';
import type { Check, Unit } from './check.ts';
import { piecesOf } from './pieces-of.ts';
import { brokenRows, rowsOfUnits } from './row-rules.ts';
import { type Finding, firstFinding, rule } from './rules.ts';

/** A group's day, as its rollups are now. */
export interface Day {
  groupId: string;
  day: string;
  cells: number;
  rows: number;
  hasMoved: boolean;
}

/**
 * Compares rollups with the rows that they sum up: of each group's day that has moved since it was last compared,
 * what of it has moved.
 * @returns the first that differs, or null
 */
export async function checkDays(check: Check): Promise<Finding | null> {
  for (let after: Day | null = null; ; ) {
    const { days, next }: Days = await readDays(check, after);
    check.looked.ofDays += days.length;
    const moved = days.filter(({ hasMoved }) => hasMoved);
    for (const some of piecesOf(moved, ({ cells }) => cells, check.snapshots.rows.value)) {
      const finding = await checkUnits(check, some);
      if (finding !== null) return finding;
    }
    if (next === null) return null;
    after = next;
  }
}

export interface Days {
  days: Day[];
  /** After which more may come, or null. */
  next: Day | null;
}

/** The days after one, as many as one piece takes. */
export function readDays({ snapshots, publisherId, all }: Check, after: Day | null): Promise<Days> {
  const size = snapshots.days.value;
  return snapshots.read(snapshots.days, async (tx) => {
    const { rows } = await sql<{
      group_id: string;
      day: string;
      cells: bigint;
      row_count: bigint;
      has_moved: boolean;
    }>`
      select d.group_id, to_char(d.day, 'YYYY-MM-DD') as day, d.cells, d.row_count,
             ${all} or c.moves is distinct from d.moves as has_moved
      from (
        select group_id, day, count(*) as cells, sum(row_count)::bigint as row_count,
               sum(row_count + reversed_count) as moves
        from earning_rollup
        where publisher_id = ${publisherId}
          and (group_id, day) > (${after?.groupId ?? ''}, ${after?.day ?? '-infinity'}::date)
        group by group_id, day
        order by group_id, day
        limit ${size}
      ) d
      left join ledger_check_day c on c.publisher_id = ${publisherId} and c.group_id = d.group_id and c.day = d.day
      order by d.group_id, d.day`.execute(tx);
    const days = rows.map(({ group_id, day, cells, row_count, has_moved }) => ({
      groupId: group_id,
      day,
      cells: Number(cells),
      rows: Number(row_count),
      hasMoved: has_moved,
    }));
    return { days, next: days.length < size ? null : (days.at(-1) ?? null), taken: days.length };
  });
}

/** Compares what has moved of some days, and keeps what was found to agree once all of it has. */
async function checkUnits(check: Check, days: readonly Day[]): Promise<Finding | null> {
  const { snapshots, looked } = check;
  const { units } = await snapshots.read(snapshots.rows, (tx) => readUnits(tx, check, days));
  const moved = units.filter(({ hasMoved }) => hasMoved);
  const compared: Unit[] = units.filter(({ hasMoved }) => !hasMoved);
  for (const piece of piecesOf(moved, ({ rows }) => rows + 1, snapshots.rows.value)) {
    const { finding, seen } = await snapshots.read(snapshots.rows, (tx) => compareUnits(tx, check, piece));
    if (finding !== null) return finding;
    looked.rows += piece.reduce((sum, { rows }) => sum + rows, 0);
    compared.push(...seen);
    check.progress();
  }
  looked.days += days.length;
  if (check.keeps) snapshots.later((db) => keepDays(db, check.publisherId, compared));
  return null;
}

/** Members of a day that were compared before and have no rollup any more have moved, too. */
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
           coalesce(u.moves, 0)::bigint as moves, u.has_moved
    from unnest(${days.map(({ groupId }) => groupId)}::text[], ${days.map(({ day }) => day)}::date[]) as d (group_id, day)
    left join ledger_check_day c on c.publisher_id = ${publisherId} and c.group_id = d.group_id and c.day = d.day
    cross join lateral (
      select coalesce(e.membership_id, k.membership_id) as membership_id, e.row_count, e.moves,
             ${all} or e.moves is distinct from k.moves as has_moved
      from (
        select membership_id, sum(row_count) as row_count, sum(row_count + reversed_count) as moves
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

/**
 * In one moment: the rollups of some units against their rows, and where older rows are looked at by this alone, the
 * rows against their payments and entries.
 */
async function compareUnits(tx: Tx, check: Check, units: readonly Unit[]) {
  const { publisherId } = check;
  const named = sql`unnest(
    ${units.map(({ groupId }) => groupId)}::text[],
    ${units.map(({ day }) => day)}::date[],
    ${units.map(({ membershipId }) => membershipId)}::uuid[]
  ) as u (group_id, day, membership_id)`;
  const finding =
    (check.rowsBefore === null
      ? null
      : await firstFinding(tx, brokenRows(publisherId, rowsOfUnits(publisherId, named)))) ??
    (await firstFinding(
      tx,
      sql`
        select ${rule('rollup')} as rule,
               'rollup of ' || to_char(coalesce(e.day, s.day), 'YYYY-MM-DD') || ', membership ' || coalesce(e.membership_id, s.membership_id) as row
        from (
          select e.*
          from ${named}
          join earning_rollup e
            on e.publisher_id = ${publisherId} and e.group_id = u.group_id and e.day = u.day
           and e.membership_id = u.membership_id
        ) e
        full join (
          select a.group_id, a.day, a.membership_id, a.code, a.currency,
                 count(*) as row_count, sum(a.subtotal_minor) as gross, sum(p.share_minor) as share,
                 count(*) filter (where p.reversed_at is not null) as reversed_count,
                 coalesce(sum(a.subtotal_minor) filter (where p.reversed_at is not null), 0) as reversed_gross,
                 coalesce(sum(p.share_minor) filter (where p.reversed_at is not null), 0) as reversed_share
          from (${rowsOfUnits(publisherId, named)}) a
          join payment p on p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
          where p.settled_at is not null
          group by 1, 2, 3, 4, 5
        ) s using (group_id, day, membership_id, code, currency)
        where (e.row_count, e.gross_minor, e.share_minor, e.reversed_count, e.reversed_gross_minor, e.reversed_share_minor)
          is distinct from (s.row_count, s.gross, s.share, s.reversed_count, s.reversed_gross, s.reversed_share)`,
    ));
  const seen = check.keeps && finding === null ? await readMoves(tx, check, units) : [];
  return { finding, seen, taken: units.reduce((sum, { rows }) => sum + rows, 0) };
}

/** As they are in the moment of the comparison: rows may have settled since it was planned. */
async function readMoves(tx: Tx, check: Check, units: readonly Unit[]): Promise<Unit[]> {
  const { rows } = await sql<{ place: bigint; moves: bigint }>`
    select u.place, sum(e.row_count + e.reversed_count)::bigint as moves
    from unnest(
      ${units.map(({ groupId }) => groupId)}::text[],
      ${units.map(({ day }) => day)}::date[],
      ${units.map(({ membershipId }) => membershipId)}::uuid[]
    ) with ordinality as u (group_id, day, membership_id, place)
    join earning_rollup e
      on e.publisher_id = ${check.publisherId} and e.group_id = u.group_id and e.day = u.day
     and e.membership_id = u.membership_id
    group by u.place`.execute(tx);
  return rows.flatMap(({ place, moves }) => {
    const unit = units[Number(place) - 1];
    return unit === undefined ? [] : [{ ...unit, moves }];
  });
}
