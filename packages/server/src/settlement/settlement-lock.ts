import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';

const lockClass = 1_954; // arbitrary; separates these locks from other advisory locks
const reversalLockClass = 1_957; // 1_955 is for bounties, 1_956 for programs

/** Maximum wait for the lock. A bounty recount may hold it for a minute, which is too long to wait. */
const lockTimeout = '5s';

/**
 * Takes the publisher's posting lock in shared mode. Any number of postings and clawbacks can hold it at the same time,
 * but the commit that takes a payout's cutoff excludes them all. After a few seconds, the wait fails with the same
 * error as on a busy database, and the caller retries, because one publisher's long commit must not block the worker
 * and connections that all publishers share.
 */
export async function lockForPosting(tx: Tx, publisherId: string): Promise<void> {
  const { rows } = await sql<{ before: string }>`
    select current_setting('lock_timeout') as before,
           set_config('lock_timeout', ${lockTimeout}, true),
           pg_advisory_xact_lock_shared(${lockClass}, hashtext(${publisherId}))`.execute(tx);
  await sql`select set_config('lock_timeout', ${rows[0]?.before ?? lockTimeout}, true)`.execute(tx);
}

/**
 * Takes the publisher's posting lock in exclusive mode. Waits for current holders, and blocks new ones until the
 * commit.
 */
export async function lockOutPosting(tx: Tx, publisherId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockClass}, hashtext(${publisherId}))`.execute(tx);
}

/**
 * Takes the publisher's reversal lock in shared mode. Every reversal holds it, so that each one commits either before
 * or after a payout's cutoff. It is separate from the posting lock so that status changes don't wait for bounty
 * recounts.
 */
export async function lockForReversal(tx: Tx, publisherId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${reversalLockClass}, hashtext(${publisherId}))`.execute(tx);
}

/** Takes the reversal lock in exclusive mode. Waits for current reversals, and blocks new ones until the commit. */
export async function lockOutReversals(tx: Tx, publisherId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${reversalLockClass}, hashtext(${publisherId}))`.execute(tx);
}
