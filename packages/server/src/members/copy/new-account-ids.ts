import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { newPublicId, toAccountId } from '../../platform/ids.ts';

/** Maximum length of an account id in a program file. */
const maxIdLength = 64;
const idsAtOnce = 1_000;

/**
 * Returns an id for each account to copy to a sandbox. The id is derived from the original's id, or random if the derived id is taken
 * or too long.
 */
export async function newAccountIds(
  tx: Tx,
  publisherId: string,
  accountIds: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, AccountId>> {
  const wanted = new Map(accountIds.map((id) => [id, toAccountId(`${publisherId}:${id}`)]));
  const taken = new Set<AccountId>();
  const ids = [...wanted.values()];
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    const batch = ids.slice(start, start + idsAtOnce);
    const rows = await tx
      .selectFrom('creator_account')
      .select('account_id')
      .where(sql<boolean>`account_id = any(${batch}::text[])`)
      .execute();
    for (const { account_id } of rows) taken.add(account_id);
  }
  return new Map(
    [...wanted].map(([id, readable]) => [
      id,
      readable.length > maxIdLength || taken.has(readable) ? toAccountId(newPublicId()) : readable,
    ]),
  );
}
