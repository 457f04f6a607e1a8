import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { Check } from './check.ts';
import { movesOfCells } from './moves.ts';

export interface Day {
  groupId: string;
  day: string;
  cells: number;
  /** Number of posted rows, including Test rows. */
  rows: number;
  /** True if the group's rollups and counts have the same totals as the members' rollups. */
  agrees: boolean;
  hasMoved: boolean;
}

export interface Days {
  days: Day[];
  /** Day to continue after; null when no days are left. */
  next: Day | null;
}

/** Totals for a group's day, as text for comparison. */
interface Totals {
  group_id: string;
  day: string;
  money: string;
}
interface Counts {
  group_id: string;
  day: string;
  counts: string;
}

/** Money in all currencies combined. If the totals differ, each currency is compared. */
const money = sql`
  concat_ws(' ', sum(row_count), sum(gross_minor), sum(share_minor), sum(reversed_count), sum(reversed_gross_minor),
            sum(reversed_share_minor))`;
const counts = sql`
  concat_ws(' ', sum(all_count), sum(test_count), sum(refund_count), sum(fraud_count), sum(chargeback_count))`;
const noMoney = '0 0 0 0 0 0';
const noCounts = '0 0 0 0 0';

/**
 * Reads the next days (at most one piece) with the groups' rollups and counts. Includes days on which a group has
 * rollups or counts but its members have none.
 */
export function readDays({ snapshots, publisherId, all }: Check, after: Day | null): Promise<Days> {
  const size = snapshots.days.value;
  return snapshots.read(snapshots.days, async (tx) => {
    const ofMembers = await readOfMembers(tx, { publisherId, after, size });
    const last = ofMembers.length < size ? null : (ofMembers.at(-1) ?? null);
    const range = { publisherId, after, last };
    const ofGroup = new Map((await readOfGroups(tx, range)).map((each) => [keyOf(each), each]));
    const ofHours = new Map((await readOfHours(tx, range)).map((each) => [keyOf(each), each]));
    const found = new Map(ofMembers.map((each) => [keyOf(each), each]));
    for (const [key, each] of [...ofGroup, ...ofHours])
      if (!found.has(key)) found.set(key, { ...nothing, group_id: each.group_id, day: each.day });
    const days = [...found].map(([key, each]): Day => {
      const agrees =
        each.money === (ofGroup.get(key)?.money ?? noMoney) &&
        each.counts === (ofHours.get(key)?.counts ?? noCounts);
      return {
        groupId: each.group_id,
        day: each.day,
        cells: Number(each.cells),
        rows: Number(each.row_count),
        agrees,
        hasMoved: all || !agrees || each.has_moved,
      };
    });
    const next = days.find(({ groupId, day }) => groupId === last?.group_id && day === last.day) ?? null;
    return { days, next, taken: days.length };
  });
}

const keyOf = ({ group_id, day }: { group_id: string; day: string }): string => `${day} ${group_id}`;

interface OfMembers extends Totals, Counts {
  cells: bigint;
  row_count: bigint;
  has_moved: boolean;
}

const nothing = { cells: 0n, row_count: 0n, has_moved: true, money: noMoney, counts: noCounts };

async function readOfMembers(
  tx: Tx,
  { publisherId, after, size }: { publisherId: string; after: Day | null; size: number },
): Promise<OfMembers[]> {
  const { rows } = await sql<OfMembers>`
    select d.group_id, to_char(d.day, 'YYYY-MM-DD') as day, d.cells, d.row_count, d.money, d.counts,
           c.moves is distinct from d.moves as has_moved
    from (
      select group_id, day, count(*) as cells, sum(all_count)::bigint as row_count, ${movesOfCells} as moves,
             ${money} as money, ${counts} as counts
      from earning_rollup
      where publisher_id = ${publisherId} and ${isAfter(sql`(group_id, day)`, after)}
      group by group_id, day
      order by group_id, day
      limit ${size}
    ) d
    left join ledger_check_day c on c.publisher_id = ${publisherId} and c.group_id = d.group_id and c.day = d.day
    order by d.group_id, d.day`.execute(tx);
  return rows;
}

/** Range of days with an exclusive start and an inclusive end. Null means unbounded. */
interface Range {
  publisherId: string;
  after: Day | null;
  last: { group_id: string; day: string } | null;
}

async function readOfGroups(tx: Tx, { publisherId, after, last }: Range): Promise<Totals[]> {
  const { rows } = await sql<Totals>`
    select group_id, to_char(day, 'YYYY-MM-DD') as day, ${money} as money
    from group_rollup
    where publisher_id = ${publisherId} and ${isAfter(sql`(group_id, day)`, after)}
      and ${last === null ? sql`true` : sql`(group_id, day) <= (${last.group_id}, ${last.day}::date)`}
    group by group_id, day`.execute(tx);
  return rows;
}

async function readOfHours(tx: Tx, { publisherId, after, last }: Range): Promise<Counts[]> {
  const { rows } = await sql<Counts>`
    select group_id, to_char(hour at time zone 'UTC', 'YYYY-MM-DD') as day, ${counts} as counts
    from transaction_count
    where publisher_id = ${publisherId}
      and ${after === null ? sql`true` : sql`(group_id, hour) >= (${after.groupId}, (${after.day}::date + 1)::timestamp at time zone 'UTC')`}
      and ${last === null ? sql`true` : sql`(group_id, hour) < (${last.group_id}, (${last.day}::date + 1)::timestamp at time zone 'UTC')`}
    group by 1, 2`.execute(tx);
  return rows;
}

const isAfter = (groupAndDay: RawBuilder<unknown>, after: Day | null): RawBuilder<unknown> =>
  after === null ? sql`true` : sql`${groupAndDay} > (${after.groupId}, ${after.day}::date)`;
