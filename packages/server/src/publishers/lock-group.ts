import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';

/** Locks a group, so that changes to its schedules and bounties run one at a time. */
export async function lockGroup(tx: Tx, publisherId: string, groupId: string): Promise<void> {
  await sql`
    select 1 from creator_group where publisher_id = ${publisherId} and group_id = ${groupId} for no key update`.execute(
    tx,
  );
}
