import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { MembershipId } from '../../../platform/database/tables.generated.ts';
import type { Check, Unit } from './check.ts';
import { lookUp, lookUpWaiting } from './look-up.ts';
import { movesOfCells } from './moves.ts';
import { brokenPayments, paymentsOfRows } from './payment-rules.ts';
import { brokenRows, rowsOfUnits } from './row-rules.ts';
import { type Finding, firstFinding, maxRowsNamed, rule } from './rules.ts';
import { findWrongShare } from './share-rules.ts';

/**
 * Compares the given units' rollups with their posted rows, in one snapshot. If the run doesn't scan older rows, also
 * compares the rows with their payments and entries.
 * @returns the first difference, or the compared units
 */
export async function compareUnits(tx: Tx, check: Check, units: readonly Unit[]) {
  const { publisherId } = check;
  const named = unnest(units);
  const rows = rowsOfUnits(publisherId, named);
  const finding =
    (check.rowsBefore === null
      ? null
      : ((await firstFinding(tx, brokenRows(publisherId, rows, true))) ??
        (await findWrongShare(tx, rows)) ??
        (await firstFinding(tx, brokenPayments(publisherId, paymentsOfRows(publisherId, rows), true))))) ??
    (await findWrongCell(tx, publisherId, named)) ??
    (await firstFinding(tx, missingCodes(publisherId, named)));
  const seen = check.savesProgress && finding === null ? await readMoves(tx, publisherId, units) : [];
  return { finding, seen, taken: units.reduce((sum, { rows }) => sum + rows, 0) };
}

const unnest = (units: readonly Unit[]): RawBuilder<unknown> => sql`unnest(
  ${units.map(({ groupId }) => groupId)}::text[],
  ${units.map(({ day }) => day)}::date[],
  ${units.map(({ membershipId }) => membershipId)}::uuid[]
) as u (group_id, day, membership_id)`;

const rollupsOf = (publisherId: string, named: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select e.*
  from ${named}
  cross join lateral (
    select *
    from earning_rollup
    where publisher_id = ${publisherId} and membership_id = u.membership_id and day = u.day and group_id = u.group_id
    offset 0
  ) e`;

interface Cell {
  group_id: string;
  day: string;
  membership_id: MembershipId;
  code: string;
  currency: string;
}

/**
 * Finds the first rollup that differs from its rows. A row's status decides whether the row counts as
 * reversed; parts taken back from other rows are added. One of the row rules checks that the payment agrees with
 * the status.
 */
async function findWrongCell(
  tx: Tx,
  publisherId: string,
  named: RawBuilder<unknown>,
): Promise<Finding | null> {
  const { rows } = await sql<Cell>`
    select group_id, to_char(day, 'YYYY-MM-DD') as day, membership_id, code, currency
    from (${rollupsOf(publisherId, named)}) e
    full join (
      select a.group_id, a.day, a.membership_id, a.code, a.currency,
             count(*) filter (where not a.is_test) as rows,
             coalesce(sum(a.subtotal_minor) filter (where not a.is_test), 0) as gross,
             coalesce(sum(a.share_minor) filter (where not a.is_test), 0) as share,
             count(*) filter (where a.is_reversed) as reversed,
             coalesce(sum(a.subtotal_minor) filter (where a.is_reversed), 0) + sum(a.part_gross) as reversed_gross,
             coalesce(sum(a.share_minor) filter (where a.is_reversed), 0) + sum(a.part_share) as reversed_share,
             count(a.status) as rows_of_all,
             count(*) filter (where a.status = 'Test') as tests,
             count(*) filter (where a.status = 'Refund') as refunds,
             count(*) filter (where a.status = 'Fraud') as frauds,
             count(*) filter (where a.status = 'Chargeback') as chargebacks
      from (
        select a.attribution_id, a.group_id, a.day, a.membership_id, a.code, a.currency, a.subtotal_minor, a.share_minor,
               a.is_test, a.status, not a.is_test and a.status <> 'Normal' as is_reversed, 0 as part_gross, 0 as part_share
        from (${rowsOfUnits(publisherId, named)}) a
        union all
        ${partsOfUnits(publisherId, named)}
      ) a
      ${lookUpWaiting(publisherId, 'u', 'a.attribution_id')}
      where u.recording_id is null
      group by a.group_id, a.day, a.membership_id, a.code, a.currency
    ) s using (group_id, day, membership_id, code, currency)
    where (e.row_count, e.gross_minor, e.share_minor, e.reversed_count, e.reversed_gross_minor, e.reversed_share_minor,
           e.all_count, e.test_count, e.refund_count, e.fraud_count, e.chargeback_count)
      is distinct from (s.rows, s.gross, s.share, s.reversed, s.reversed_gross, s.reversed_share,
                        s.rows_of_all, s.tests, s.refunds, s.frauds, s.chargebacks)
    order by group_id, day, membership_id, code, currency
    limit 1`.execute(tx);
  const [cell] = rows;
  if (cell === undefined) return null;
  const { day, membership_id, code, currency } = cell;
  return {
    rule: 'rollup',
    row: `rollup of ${day}, membership ${membership_id}, code ${code} in ${currency}`,
    rows: await readRowsOf(tx, publisherId, cell),
  };
}

/** Returns the parts taken back from rows that aren't fully reversed. There are few. */
const partsOfUnits = (publisherId: string, named: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select p.attribution_id, p.group_id, u.day, p.membership_id, a.code, p.currency, null, null, null, null, null,
         p.refunded_minor, p.reversed_minor
  from ${named}
  cross join lateral (
    select *
    from payment
    where publisher_id = ${publisherId} and membership_id = u.membership_id and refunded_minor is not null
      and transaction_date >= u.day::timestamp at time zone 'UTC'
      and transaction_date < (u.day + 1)::timestamp at time zone 'UTC'
      and reversed_at is null
    order by transaction_date, attribution_id
    offset 0
  ) p
  ${lookUp('attribution', 'a', sql`publisher_id = ${publisherId} and attribution_id = p.attribution_id`)}`;

async function readRowsOf(
  tx: Tx,
  publisherId: string,
  { group_id, day, membership_id, code, currency }: Cell,
): Promise<string[]> {
  const named = sql`(select ${group_id} as group_id, ${day}::date as day, ${membership_id}::uuid as membership_id) u`;
  const { rows } = await sql<{ attribution_id: string }>`
    select attribution_id
    from (${rowsOfUnits(publisherId, named)}) a
    where a.group_id = ${group_id} and a.code = ${code} and a.currency = ${currency}
    order by attribution_id
    limit ${maxRowsNamed}`.execute(tx);
  return rows.map(({ attribution_id }) => attribution_id);
}

const missingCodes = (publisherId: string, named: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select ${rule('code')} as rule, 'code ' || e.code || ' of membership ' || e.membership_id as row
  from (select distinct group_id, code, membership_id from (${rollupsOf(publisherId, named)}) e) e
  ${lookUp(
    'credited_code',
    'c',
    sql`publisher_id = ${publisherId} and group_id = e.group_id and code_folded = lower(e.code)
      and membership_id = e.membership_id`,
  )}
  where c.code_folded is null`;

/**
 * Reads the versions of the units at the time of the comparison, because rows may have been posted since the
 * comparison was planned.
 */
async function readMoves(tx: Tx, publisherId: string, units: readonly Unit[]): Promise<Unit[]> {
  const { rows } = await sql<{ place: bigint; moves: bigint }>`
    select u.place, ${movesOfCells}::bigint as moves
    from unnest(
      ${units.map(({ groupId }) => groupId)}::text[],
      ${units.map(({ day }) => day)}::date[],
      ${units.map(({ membershipId }) => membershipId)}::uuid[]
    ) with ordinality as u (group_id, day, membership_id, place)
    cross join lateral (
      select *
      from earning_rollup
      where publisher_id = ${publisherId} and membership_id = u.membership_id and day = u.day and group_id = u.group_id
      offset 0
    ) e
    group by u.place`.execute(tx);
  return rows.flatMap(({ place, moves }) => {
    const unit = units[Number(place) - 1];
    return unit === undefined ? [] : [{ ...unit, moves }];
  });
}
