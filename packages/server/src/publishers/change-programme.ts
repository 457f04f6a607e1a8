import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';

const lockClass = 1_956; // beside settlement's 1_954

/**
 * Runs what may change a publisher's programme: all that recording reads (groups, codes, memberships, tiers, SKU
 * shares, which events are wanted) and what member records show. Such work is done one after the other. At its end
 * the versions of the programmes that it has changed are moved, and no others.
 *
 * The line is an advisory lock, and the version, which other publishers' requests may have to move too, is written
 * last: so nobody else waits for work that takes long, such as a large program file.
 * @param work is given the set to which it adds each publisher whose programme it changes
 */
export async function changeProgramme<Result>(
  tx: Tx,
  publisherId: string,
  work: (changed: Set<string>) => Promise<Result>,
): Promise<Result> {
  await sql`select pg_advisory_xact_lock(${lockClass}, hashtext(${publisherId}))`.execute(tx);
  const changed = new Set<string>();
  const result = await work(changed);
  // In one order everywhere, so that two of these never wait for each other.
  for (const each of [...changed].sort()) {
    await sql`
      update publisher
      set programme_version = programme_version + 1
      where publisher_id = ${each}`.execute(tx);
  }
  return result;
}

/**
 * Waits for the changes of a programme under way and keeps others from beginning until the commit, for work that
 * must not run beside them and changes nothing that anybody keeps in memory. Any number of such works run at once.
 */
export async function keepProgramme(tx: Tx, publisherId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${lockClass}, hashtext(${publisherId}))`.execute(tx);
}
