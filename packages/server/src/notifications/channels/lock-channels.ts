import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';

const lockClass = 1_958; // the program uses 1_956, and settlement 1_954

/** Locks a publisher's channels, so that changes to them run one at a time. */
export async function lockChannels(tx: Tx, publisherId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockClass}, hashtext(${publisherId}))`.execute(tx);
}
