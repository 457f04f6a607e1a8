import type { Tx } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';

/** Deletes the auth codes of accounts. @returns their number */
export async function eraseAuthCodes(tx: Tx, accountIds: readonly AccountId[]): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('auth_code')
    .where('account_id', 'in', [...accountIds])
    .executeTakeFirst();
  return Number(numDeletedRows);
}
