import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { ProgrammeWriter } from '../platform/database/programme-tables.ts';

const lockClass = 1_956; // beside settlement's 1_954

declare const changing: unique symbol;

/**
 * A transaction in which a publisher's programme may change. Whoever writes a table of the programme takes one, so that
 * none is written outside of `changingProgramme`, which moves the version.
 */
export type ProgrammeTx = ProgrammeWriter & Tx & { readonly [changing]: true };

/** The publishers whose programme each transaction under way has changed. */
const changedBy = new WeakMap<Tx, Set<string>>();

/**
 * Runs what may change a publisher's programme: all that recording reads (groups, codes, memberships, tiers,
 * schedules, SKU shares, which events are wanted) and what member records show. Such work is done one after the other. At its end
 * the versions of the programmes that were said to have changed (`programmeChanged`) are moved, and no others.
 *
 * The line is an advisory lock, and the version, which other publishers' requests may have to move too, is written
 * last: so nobody else waits for work that takes long, such as a large program file.
 */
export async function changingProgramme<Result>(
  tx: Tx,
  publisherId: string,
  work: (tx: ProgrammeTx) => Promise<Result>,
): Promise<Result> {
  if (changedBy.has(tx)) throw new Error('changingProgramme is called inside of changingProgramme');
  await sql`select pg_advisory_xact_lock(${lockClass}, hashtext(${publisherId}))`.execute(tx);
  const changed = new Set<string>();
  changedBy.set(tx, changed);
  const result = await work(tx as ProgrammeTx).finally(() => changedBy.delete(tx));
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
export function programmeChanged(tx: ProgrammeTx, publisherId: string): void {
  const changed = changedBy.get(tx);
  if (changed === undefined) throw new Error('a programme changes outside of changingProgramme');
  changed.add(publisherId);
}

/**
 * Runs what only adds to a programme what nobody has in memory, such as a new member with a new code: no version moves.
 * It waits for changes under way and keeps others from beginning; any number of such works run at once.
 */
export async function addingToProgramme<Result>(
  tx: Tx,
  publisherId: string,
  work: (tx: ProgrammeTx) => Promise<Result>,
): Promise<Result> {
  await sql`select pg_advisory_xact_lock_shared(${lockClass}, hashtext(${publisherId}))`.execute(tx);
  return work(tx as ProgrammeTx);
}
