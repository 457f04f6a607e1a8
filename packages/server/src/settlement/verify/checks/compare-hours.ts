import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { Check } from './check.ts';
import { lookUp, lookUpWaiting } from './look-up.ts';
import { piecesOf } from './pieces-of.ts';
import type { Day } from './read-days.ts';
import { type Finding, maxRowsNamed } from './rules.ts';

interface Hour {
  groupId: string;
  /** Day and hour in the database's text format. */
  day: string;
  hour: string;
  rows: number;
}

/**
 * Compares groups' hourly counts on the given days with the posted rows, in pieces small enough for one snapshot.
 * @returns the first difference, or null
 */
export async function compareHours(check: Check, days: readonly Day[]): Promise<Finding | null> {
  if (days.length === 0) return null;
  const { snapshots, publisherId, coverage } = check;
  const { hours } = await snapshots.read(snapshots.rows, (tx) => readHours(tx, publisherId, days));
  for (const piece of piecesOf(hours, ({ rows }) => rows + 1, snapshots.rows.value)) {
    const taken = piece.reduce((sum, { rows }) => sum + rows, 0);
    const { wrong, rows } = await snapshots.read(snapshots.rows, async (tx) => {
      const wrong = await findWrongHour(tx, publisherId, piece);
      return { wrong, rows: wrong === null ? [] : await readRowsOf(tx, publisherId, wrong), taken };
    });
    if (wrong !== null) return { rule: 'hour', row: `hour ${wrong.name} of group ${wrong.group_id}`, rows };
    coverage.rows += taken;
    check.progress();
  }
  return null;
}

/** Reads all hours of the given days, including those without counts. */
async function readHours(
  tx: Tx,
  publisherId: string,
  days: readonly Day[],
): Promise<{ hours: Hour[]; taken: number }> {
  const { rows } = await sql<{ group_id: string; day: string; hour: string; rows: bigint }>`
    select d.group_id, d.day::text as day, h.hour::text as hour, coalesce(t.all_count, 0) as rows
    from unnest(${days.map(({ groupId }) => groupId)}::text[], ${days.map(({ day }) => day)}::date[]) as d (group_id, day)
    cross join lateral (
      select (d.day::timestamp + n * interval '1 hour') at time zone 'UTC' as hour from generate_series(0, 23) n
    ) h
    ${lookUp('transaction_count', 't', sql`publisher_id = ${publisherId} and group_id = d.group_id and hour = h.hour`)}
    order by d.group_id, h.hour`.execute(tx);
  const hours = rows.map(({ group_id, day, hour, rows }) => ({
    groupId: group_id,
    day,
    hour,
    rows: Number(rows),
  }));
  return { hours, taken: hours.length };
}

interface WrongHour {
  group_id: string;
  hour: string;
  name: string;
}

/**
 * Finds the first hour whose counts differ. Reads all hours of a day together, because a small read per hour would cost
 * more than reading a few unneeded rows.
 */
async function findWrongHour(tx: Tx, publisherId: string, hours: readonly Hour[]): Promise<WrongHour | null> {
  const spans = [...Map.groupBy(hours, ({ groupId, day }) => `${day} ${groupId}`).values()];
  const { rows } = await sql<WrongHour>`
    select s.group_id, wrong.hour::text as hour, to_char(wrong.hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"') as name
    from unnest(
      ${spans.map(([first]) => first?.groupId)}::text[],
      ${spans.map(([first]) => first?.hour)}::timestamptz[],
      ${spans.map((span) => span.at(-1)?.hour)}::timestamptz[]
    ) as s (group_id, first, last)
    cross join lateral (
      select coalesce(posted.hour, t.hour) as hour
      from (
        select date_trunc('hour', a.transaction_date, 'UTC') as hour,
               count(*) as rows,
               count(*) filter (where a.status = 'Test') as tests,
               count(*) filter (where a.status = 'Refund') as refunds,
               count(*) filter (where a.status = 'Fraud') as frauds,
               count(*) filter (where a.status = 'Chargeback') as chargebacks
        from (
          select attribution_id, status, transaction_date
          from attribution
          where publisher_id = ${publisherId} and group_id = s.group_id
            and transaction_date >= s.first and transaction_date < s.last + interval '1 hour'
          order by transaction_date, attribution_id
          offset 0
        ) a
        ${lookUpWaiting(publisherId, 'u', 'a.attribution_id')}
        where u.recording_id is null
        group by 1
      ) posted
      full join (
        select *
        from transaction_count
        where publisher_id = ${publisherId} and group_id = s.group_id and hour >= s.first and hour <= s.last
        offset 0
      ) t on t.hour = posted.hour
      where (coalesce(posted.rows, 0), coalesce(posted.tests, 0), coalesce(posted.refunds, 0),
             coalesce(posted.frauds, 0), coalesce(posted.chargebacks, 0))
        is distinct from (coalesce(t.all_count, 0), coalesce(t.test_count, 0), coalesce(t.refund_count, 0),
                          coalesce(t.fraud_count, 0), coalesce(t.chargeback_count, 0))
    ) wrong
    order by s.group_id, wrong.hour
    limit 1`.execute(tx);
  return rows[0] ?? null;
}

async function readRowsOf(tx: Tx, publisherId: string, { group_id, hour }: WrongHour): Promise<string[]> {
  const { rows } = await sql<{ attribution_id: string }>`
    select attribution_id
    from attribution a
    where a.publisher_id = ${publisherId} and a.group_id = ${group_id} and a.transaction_date >= ${hour}::timestamptz
      and a.transaction_date < ${hour}::timestamptz + interval '1 hour'
    order by attribution_id
    limit ${maxRowsNamed}`.execute(tx);
  return rows.map(({ attribution_id }) => attribution_id);
}
