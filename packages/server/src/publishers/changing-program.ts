import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { ProgramWriter } from '../platform/database/program-tables.ts';

const lockClass = 1_956; // beside settlement's 1_954

declare const changing: unique symbol;

/**
 * Transaction in which a publisher's program may change. Functions that write tables of the program take this type, so
 * that they can only be called inside `changingProgram`, which increments the version.
 */
export type ProgramTx = ProgramWriter & Tx & { readonly [changing]: true };

/** Publishers whose programs the open transactions have changed. */
const changedBy = new WeakMap<Tx, Set<string>>();

/**
 * Runs work that may change a publisher's program: everything that recording reads (groups, codes, memberships, tiers,
 * schedules, SKU shares, subscribed events) and everything in member records. Changes of one publisher run one at a time.
 * At the end, increments the versions of the programs passed to `programChanged`.
 *
 * An advisory lock serializes the work. The version, which requests of other publishers may also have to increment, is
 * written last, so that they don't wait for long work such as a large program file.
 */
export async function changingProgram<Result>(
  tx: Tx,
  publisherId: string,
  work: (tx: ProgramTx) => Promise<Result>,
): Promise<Result> {
  if (changedBy.has(tx)) throw new Error('changingProgram must not be nested');
  await sql`select pg_advisory_xact_lock(${lockClass}, hashtext(${publisherId}))`.execute(tx);
  const changed = new Set<string>();
  changedBy.set(tx, changed);
  const result = await work(tx as ProgramTx).finally(() => changedBy.delete(tx));
  // In a fixed order, so that two of these can't deadlock.
  for (const each of [...changed].sort()) {
    await sql`
      update publisher
      set programme_version = programme_version + 1
      where publisher_id = ${each}`.execute(tx);
  }
  return result;
}

/** Marks a publisher's program as changed: what recording reads or what member records show. */
export function programChanged(tx: ProgramTx, publisherId: string): void {
  const changed = changedBy.get(tx);
  if (changed === undefined) throw new Error('programChanged was called outside of changingProgram');
  changed.add(publisherId);
}

/**
 * Runs work that only adds data that no process can have cached, such as a new member with a new code. Doesn't increment
 * the version. Waits for `changingProgram` and blocks it, but runs concurrently with other additions.
 */
export async function addingToProgram<Result>(
  tx: Tx,
  publisherId: string,
  work: (tx: ProgramTx) => Promise<Result>,
): Promise<Result> {
  await sql`select pg_advisory_xact_lock_shared(${lockClass}, hashtext(${publisherId}))`.execute(tx);
  return work(tx as ProgramTx);
}
