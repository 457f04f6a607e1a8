import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { PayoutBatchId } from '../../platform/database/tables.generated.ts';
import { rowIdFloor } from '../../platform/ids.ts';
import type { Unit } from './checks/check.ts';

/** Ids are made before their commit, by clocks of their own: a run looks again at those of this long before the last. */
const lateMs = 15 * 60_000;

/** Where the last sound run of a publisher got to. */
export interface Kept {
  rowsBefore: string;
}

export async function readKept(tx: Tx, publisherId: string): Promise<Kept | null> {
  const kept = await tx
    .selectFrom('ledger_check')
    .select('rows_before')
    .where('publisher_id', '=', publisherId)
    .executeTakeFirst();
  return kept === undefined ? null : { rowsBefore: kept.rows_before };
}

/**
 * The id before which a run that starts now will have looked at everything: below those that may still be under way,
 * and below the rows that wait to be posted.
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
  if (first === undefined) throw new Error('the database told no time');
  const floor = rowIdFloor(new Date(first.now.getTime() - lateMs));
  return first.waiting !== null && first.waiting < floor ? first.waiting : floor;
}

/** Writes down that a run looked at a publisher, and all was sound. */
export async function keepSound(
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

export async function forgetSound(db: Db, publisherId: string): Promise<void> {
  await db.deleteFrom('ledger_check').where('publisher_id', '=', publisherId).execute();
}

/** What is not explained is looked at, with all the rest, until it is. */
export async function forget(db: Db, publisherId: string): Promise<void> {
  for (const table of ['ledger_check', 'ledger_check_day', 'ledger_check_payout'] as const)
    await db.deleteFrom(table).where('publisher_id', '=', publisherId).execute();
}

/** @param units all that earned on some days, as they were when they were compared */
export async function keepDays(db: Db, publisherId: string, units: readonly Unit[]): Promise<void> {
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

export async function keepPayouts(
  db: Db,
  publisherId: string,
  payouts: readonly { batchId: PayoutBatchId; isCancelled: boolean }[],
): Promise<void> {
  await sql`
    insert into ledger_check_payout (publisher_id, batch_id, is_cancelled)
    select ${publisherId}, batch_id, is_cancelled
    from unnest(
      ${payouts.map(({ batchId }) => batchId)}::uuid[],
      ${payouts.map(({ isCancelled }) => isCancelled)}::boolean[]
    ) as p (batch_id, is_cancelled)
    order by batch_id
    on conflict (publisher_id, batch_id) do update set is_cancelled = excluded.is_cancelled`.execute(db);
}
