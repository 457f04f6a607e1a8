import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { PayoutBatchId } from '../../platform/database/tables.generated.ts';
import { rowIdFloor } from '../../platform/ids.ts';
import type { Unit } from './checks/check.ts';

/**
 * Age below which the next run compares rows again. A process creates ids on its own clock before committing them, so a
 * row may become visible after rows with higher ids.
 */
const lateMs = 15 * 60_000;

export interface Checkpoint {
  rowsBefore: string;
}

export async function readCheckpoint(tx: Tx, publisherId: string): Promise<Checkpoint | null> {
  const row = await tx
    .selectFrom('ledger_check')
    .select('rows_before')
    .where('publisher_id', '=', publisherId)
    .executeTakeFirst();
  return row === undefined ? null : { rowsBefore: row.rows_before };
}

/**
 * Returns the id below which a run that starts now will have compared everything. It is lower than any id that may
 * still be uncommitted and any unposted row's id.
 */
export async function nextRowsBefore(tx: Tx, publisherId: string): Promise<string> {
  const { rows } = await sql<{ now: Date; waiting: string | null }>`
    select now() as now, (
      select recording_id
      from unposted u
      where u.publisher_id = ${publisherId}
      order by recording_id
      limit 1
    ) as waiting`.execute(tx);
  const [first] = rows;
  if (first === undefined) throw new Error('the database returned no time');
  const floor = rowIdFloor(new Date(first.now.getTime() - lateMs));
  return first.waiting !== null && first.waiting < floor ? first.waiting : floor;
}

export async function saveCheckpoint(
  db: Db,
  publisherId: string,
  rowsBefore: string,
  all: boolean,
): Promise<void> {
  await sql`
    insert into ledger_check as k (publisher_id, rows_before, all_at, last_at)
    values (${publisherId}, ${rowsBefore}::uuid, now(), now())
    on conflict (publisher_id) do update
      set rows_before = excluded.rows_before,
          all_at = case when ${all} then excluded.all_at else k.all_at end,
          last_at = excluded.last_at`.execute(db);
}

export async function deleteCheckpoint(db: Db, publisherId: string): Promise<void> {
  await db.deleteFrom('ledger_check').where('publisher_id', '=', publisherId).execute();
}

/**
 * Deletes a publisher's saved progress after a difference is found, so that runs compare everything until it is
 * explained.
 */
export async function deleteProgress(db: Db, publisherId: string): Promise<void> {
  for (const table of ['ledger_check', 'ledger_check_day', 'ledger_check_payout'] as const)
    await db.deleteFrom(table).where('publisher_id', '=', publisherId).execute();
}

/**
 * Saves that the given days were compared.
 * @param units all members with earnings on those days, with their versions at the time of the comparison
 */
export async function saveDays(db: Db, publisherId: string, units: readonly Unit[]): Promise<void> {
  await sql`
    insert into ledger_check_day (publisher_id, group_id, day, moves, membership_ids, membership_moves)
    select ${publisherId}, group_id, day, sum(moves), array_agg(membership_id), array_agg(moves)
    from unnest(
      ${units.map(({ groupId }) => groupId)}::text[],
      ${units.map(({ day }) => day)}::date[],
      ${units.map(({ membershipId }) => membershipId)}::uuid[],
      ${units.map(({ moves }) => String(moves))}::bigint[]
    ) as u (group_id, day, membership_id, moves)
    group by group_id, day
    order by group_id, day
    on conflict (publisher_id, group_id, day) do update
      set moves = excluded.moves, membership_ids = excluded.membership_ids, membership_moves = excluded.membership_moves`.execute(
    db,
  );
}

export async function savePayouts(
  db: Db,
  publisherId: string,
  payouts: readonly { batchId: PayoutBatchId; isCancelled: boolean; returns: bigint }[],
): Promise<void> {
  await sql`
    insert into ledger_check_payout (publisher_id, batch_id, is_cancelled, return_count)
    select ${publisherId}, batch_id, is_cancelled, return_count
    from unnest(
      ${payouts.map(({ batchId }) => batchId)}::uuid[],
      ${payouts.map(({ isCancelled }) => isCancelled)}::boolean[],
      ${payouts.map(({ returns }) => String(returns))}::bigint[]
    ) as p (batch_id, is_cancelled, return_count)
    order by batch_id
    on conflict (publisher_id, batch_id) do update set is_cancelled = excluded.is_cancelled, return_count = excluded.return_count`.execute(
    db,
  );
}
