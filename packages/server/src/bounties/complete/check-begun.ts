import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';

/*
 * Purchases and events may be dated in the future, so progress is counted and checked before its bounty
 * starts. A bounty that was last checked before its start is checked again when it starts. A partial index
 * contains only these bounties.
 */

/**
 * Returns a condition that is true for a bounty that has started by `now` and was last checked before its
 * start.
 */
export const hasStarted = (alias: string, now: Date | RawBuilder<unknown>): RawBuilder<boolean> => {
  const [startsAt, lastCheck] = ['starts_at', 'last_progress_check'].map((column) =>
    sql.ref(`${alias}.${column}`),
  );
  return sql`(${lastCheck} < ${startsAt} and ${startsAt} <= ${now})`;
};

/**
 * Returns a condition that is true if, for any publisher, a bounty has started according to the publisher's
 * clock and must be checked.
 * @param now time on the service's clock
 */
export const anyHasStarted = (now: Date): RawBuilder<unknown> => sql`(
  exists (select 1 from bounty begun where ${hasStarted('begun', now)})
  or exists (
    select 1
    from clock_move c
    where exists (
      select 1
      from bounty begun
      where begun.publisher_id = c.publisher_id
        and ${hasStarted('begun', sql`${now}::timestamptz + c.ahead_ms * interval '1 millisecond'`)}
    )
  ))`;

/** @param now time on the publisher's clock */
export async function hasStartedBounty(db: Db, publisherId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from bounty b where b.publisher_id = ${publisherId} and ${hasStarted('b', now)} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/**
 * Marks the progress toward started bounties for checking. The caller must hold the publisher's turn. Rows
 * are locked in the same order as for counting.
 */
export async function markStartedBounties(tx: Tx, publisherId: string, now: Date): Promise<void> {
  const { rows } = await sql<{ bounty_id: string }>`
    update bounty b
    set last_progress_check = ${now}
    where b.publisher_id = ${publisherId} and ${hasStarted('b', now)}
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
