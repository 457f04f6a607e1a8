import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';

/**
 * The publishers that some accounts are members at: what accounts have in common everywhere, such as their global
 * codes, is part of the programs of all of them.
 */
export async function publishersOf(tx: Tx, accountIds: readonly AccountId[]): Promise<string[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct publisher_id from membership where account_id = any(${accountIds}::text[])`.execute(tx);
  return rows.map(({ publisher_id }) => publisher_id);
}
