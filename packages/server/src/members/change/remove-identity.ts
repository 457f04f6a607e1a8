import type { AccountId } from '../../platform/database/tables.generated.ts';
import { type ProgramTx, programChanged } from '../../publishers/changing-program.ts';
import { publishersOf } from '../read/publishers-of.ts';

/** Removes an identity that a program names for an account. @returns false if the account has no such identity */
export async function removeIdentity(
  tx: ProgramTx,
  { accountId, provider, id }: { accountId: AccountId; provider: string; id: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('creator_identity')
    .where('provider', '=', provider)
    .where('provider_account_id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  for (const publisherId of await publishersOf(tx, [accountId])) programChanged(tx, publisherId);
  return true;
}
