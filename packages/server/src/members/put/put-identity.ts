import type { AccountId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import type { MemberChanges } from './member-changes.ts';
import type { IdentityInput } from './member-input.ts';

/**
 * Adds a sign-in identity to an account, as part of `putMember`.
 * @throws Refusal Conflict if the identity belongs to another account
 */
export async function putIdentity(
  tx: ProgramTx,
  { accountId, changes }: { accountId: AccountId; changes: MemberChanges },
  { provider, id }: IdentityInput,
): Promise<void> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('creator_identity')
    .values({ provider, provider_account_id: id, account_id: accountId })
    .onConflict((conflict) => conflict.columns(['provider', 'provider_account_id']).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows > 0n) {
    changes.addIdentity(`${provider} ${id}`);
    return;
  }
  const owner = await tx
    .selectFrom('creator_identity')
    .select('account_id')
    .where('provider', '=', provider)
    .where('provider_account_id', '=', id)
    .executeTakeFirst();
  if (owner?.account_id !== accountId) throw identityTaken(provider, id);
}

export const identityTaken = (provider: string, id: string): Refusal =>
  new Refusal('Conflict', `the ${provider} identity ${id} belongs to another account`);
