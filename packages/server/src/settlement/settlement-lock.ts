import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';

const lockClass = 1_954; // any number; it keeps these locks apart from other advisory locks
const reversalLockClass = 1_957; // beside the bounties' 1_955 and the program's 1_956

/** A bounty counted anew may hold the lock for a minute: nobody waits that long. */
const patience = '5s';

/**
 * Held by every set being settled and by every clawback: they run beside each other, and a payout's moment
 * beside none of them. Whoever cannot have it within seconds fails as when the database is busy, and tries again:
 * one publisher's long commit must not hold the worker, or the connections, that all others share.
 */
export async function lockForSettling(tx: Tx, publisherId: string): Promise<void> {
  const { rows } = await sql<{ before: string }>`
    select current_setting('lock_timeout') as before,
           set_config('lock_timeout', ${patience}, true),
           pg_advisory_xact_lock_shared(${lockClass}, hashtext(${publisherId}))`.execute(tx);
  await sql`select set_config('lock_timeout', ${rows[0]?.before ?? patience}, true)`.execute(tx);
}

/** Waits for the sets under way, and keeps others from beginning until the commit. */
export async function lockOutSettling(tx: Tx, publisherId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockClass}, hashtext(${publisherId}))`.execute(tx);
}

/**
 * Held by every reversal: it is of before a payout's moment or of after it, and says so. A lock of its own, so that
 * a status change waits for no bounty that is counted anew.
 */
export async function lockForReversing(tx: Tx, publisherId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${reversalLockClass}, hashtext(${publisherId}))`.execute(tx);
}

/** Waits for the reversals under way, and keeps others from beginning until the commit. */
export async function lockOutReversing(tx: Tx, publisherId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${reversalLockClass}, hashtext(${publisherId}))`.execute(tx);
}
