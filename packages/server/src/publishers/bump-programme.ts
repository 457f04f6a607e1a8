import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';

/**
 * Moves a publisher's programme version. Every transaction that changes what recording reads (groups,
 * codes, memberships, tiers, SKU shares) calls this first: its row lock also puts such changes in line.
 */
export async function bumpProgramme(tx: Tx, publisherId: string): Promise<void> {
  await sql`
    update publisher
    set programme_version = programme_version + 1
    where publisher_id = ${publisherId}`.execute(tx);
}
