import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import { bumpProgramme } from '../publishers/bump-programme.ts';

/**
 * Moves the programme versions of the other publishers that accounts are members at, for a change to what
 * accounts have in common everywhere, such as their global codes.
 * @param publisherId whose version the transaction has moved already
 */
export async function bumpOtherProgrammes(
  tx: Tx,
  publisherId: string,
  accountIds: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct publisher_id
    from membership
    where account_id = any(${accountIds}::text[]) and publisher_id <> ${publisherId}
    order by publisher_id`.execute(tx);
  for (const { publisher_id } of rows) await bumpProgramme(tx, publisher_id);
}
