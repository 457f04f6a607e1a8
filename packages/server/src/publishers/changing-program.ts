import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { ProgramWriter } from '../platform/database/program-tables.ts';

const lockClass = 1_956; // beside settlement's 1_954

declare const changing: unique symbol;

/**
 * A transaction in which a publisher's program may change. Whoever writes a table of the program takes one, so that
 * none is written outside of `changingProgram`, which moves the version.
 */
export type ProgramTx = ProgramWriter & Tx & { readonly [changing]: true };

/** The publishers whose program each transaction under way has changed. */
const changedBy = new WeakMap<Tx, Set<string>>();

/**
 * Runs what may change a publisher's program: all that recording reads (groups, codes, memberships, tiers,
 * schedules, SKU shares, which events are wanted) and what member records show. Such work is done one after the other. At its end
 * the versions of the programs that were said to have changed (`programChanged`) are moved, and no others.
 *
 * The line is an advisory lock, and the version, which other publishers' requests may have to move too, is written
 * last: so nobody else waits for work that takes long, such as a large program file.
 */
export async function changingProgram<Result>(
  tx: Tx,
  publisherId: string,
  work: (tx: ProgramTx) => Promise<Result>,
): Promise<Result> {
  if (changedBy.has(tx)) throw new Error('changingProgram is called inside of changingProgram');
  await sql`select pg_advisory_xact_lock(${lockClass}, hashtext(${publisherId}))`.execute(tx);
  const changed = new Set<string>();
  changedBy.set(tx, changed);
  const result = await work(tx as ProgramTx).finally(() => changedBy.delete(tx));
  // In one order everywhere, so that two of these never wait for each other.
  for (const each of [...changed].sort()) {
    await sql`
      update publisher
      set programme_version = programme_version + 1
      where publisher_id = ${each}`.execute(tx);
  }
  return result;
}

/** Says that what recording reads of a publisher, or what its member records show, is different now. */
export function programChanged(tx: ProgramTx, publisherId: string): void {
  const changed = changedBy.get(tx);
  if (changed === undefined) throw new Error('a program changes outside of changingProgram');
  changed.add(publisherId);
}

/**
 * Runs what only adds to a program what nobody has in memory, such as a new member with a new code: no version moves.
 * It waits for changes under way and keeps others from beginning; any number of such works run at once.
 */
export async function addingToProgram<Result>(
  tx: Tx,
  publisherId: string,
  work: (tx: ProgramTx) => Promise<Result>,
): Promise<Result> {
  await sql`select pg_advisory_xact_lock_shared(${lockClass}, hashtext(${publisherId}))`.execute(tx);
  return work(tx as ProgramTx);
}
