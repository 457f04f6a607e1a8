import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';

/*
 * Purchases and events may be dated ahead, so progress is counted, and checked, before its bounty begins. A bounty that was
 * checked last before its beginning is checked again when it begins; a partial index has such bounties alone.
 */

/** Condition on the bounty `alias`: it has begun by `now`, and its progress was checked last before that. */
export const hasBegun = (alias: string, now: Date | RawBuilder<unknown>): RawBuilder<boolean> => {
  const [startsAt, lastCheck] = ['starts_at', 'last_progress_check'].map((column) =>
    sql.ref(`${alias}.${column}`),
  );
  return sql`(${lastCheck} < ${startsAt} and ${startsAt} <= ${now})`;
};

/** Condition: a bounty of some publisher has begun, by the publisher's clock. @param now by the service's clock */
export const haveBegun = (now: Date): RawBuilder<unknown> => sql`(
  exists (select 1 from bounty begun where ${hasBegun('begun', now)})
  or exists (
    select 1
    from clock_move c
    where exists (
      select 1
      from bounty begun
      where begun.publisher_id = c.publisher_id
        and ${hasBegun('begun', sql`${now}::timestamptz + c.ahead_ms * interval '1 millisecond'`)}
    )
  ))`;

/** @param now by the publisher's clock */
export async function isABountyToBegin(db: Db, publisherId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from bounty b where b.publisher_id = ${publisherId} and ${hasBegun('b', now)} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/**
 * Marks the progress of bounties that have begun to be checked. The caller is the one worker of the publisher; rows are
 * locked in the order in which those that count lock them.
 */
export async function checkBegun(tx: Tx, publisherId: string, now: Date): Promise<void> {
  const { rows } = await sql<{ bounty_id: string }>`
    update bounty b
    set last_progress_check = ${now}
    where b.publisher_id = ${publisherId} and ${hasBegun('b', now)}
    returning b.bounty_id`.execute(tx);
  if (rows.length === 0) return;
  await sql`
    with waiting as (
      select p.bounty_id, p.membership_id
      from bounty_progress p
      where p.publisher_id = ${publisherId} and p.bounty_id = any(${rows.map((row) => row.bounty_id)}::text[])
      order by p.bounty_id, p.membership_id
      for no key update
    )
    update bounty_progress p
    set needs_check = true
    from waiting
    where p.publisher_id = ${publisherId} and p.bounty_id = waiting.bounty_id
      and p.membership_id = waiting.membership_id`.execute(tx);
}
