import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { ProgramWriter } from '../platform/database/program-tables.ts';

const lockClass = 1_956; // settlement uses 1_954

declare const changing: unique symbol;

/**
 * Transaction that may change a publisher's program. Functions that write to the program's tables require this type, so
 * they can only be called inside `changingProgram`, which increments the version.
 */
export type ProgramTx = ProgramWriter & Tx & { readonly [changing]: true };

/** Publishers whose programs each open transaction has changed. */
const changedBy = new WeakMap<Tx, Set<string>>();

/**
 * Runs work that may change a publisher's program: all data that recording reads (groups, codes, memberships, tiers,
 * schedules, SKU shares, subscribed events) and all data in member records. Changes to one publisher run one at a time.
 * At the end, increments the versions of the programs passed to `programChanged`.
 *
 * An advisory lock serializes the work. The version is written last, because other publishers' requests may also have
 * to increment it and must not wait for long work such as applying a large program file.
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
  // Use a fixed order, so that two transactions can't deadlock.
  for (const each of [...changed].sort()) {
    await sql`
      update publisher
      set programme_version = programme_version + 1
      where publisher_id = ${each}`.execute(tx);
  }
  return result;
}

/**
 * Marks a publisher's program as changed. A change to member records also counts as a change to the program.
 */
export function programChanged(tx: ProgramTx, publisherId: string): void {
  const changed = changedBy.get(tx);
  if (changed === undefined) throw new Error('programChanged was called outside of changingProgram');
  changed.add(publisherId);
}

/**
 * Runs work that only adds data no process can have cached, such as a new member with a new code. Doesn't increment the
 * version. Waits for `changingProgram` and blocks it, but runs concurrently with other additions.
 */
export async function addingToProgram<Result>(
  tx: Tx,
  publisherId: string,
  work: (tx: ProgramTx) => Promise<Result>,
): Promise<Result> {
  await sql`select pg_advisory_xact_lock_shared(${lockClass}, hashtext(${publisherId}))`.execute(tx);
  return work(tx as ProgramTx);
}
