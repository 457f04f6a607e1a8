import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';

/**
 * Returns the publishers that accounts are members of. Account fields, such as global codes, are part of all these
 * publishers' programs.
 */
export async function publishersOf(tx: Tx, accountIds: readonly AccountId[]): Promise<string[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct publisher_id from membership where account_id = any(${accountIds}::text[])`.execute(tx);
  return rows.map(({ publisher_id }) => publisher_id);
}
