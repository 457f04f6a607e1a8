import type { CollectedRefusals } from '../../platform/collect-refusals.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import { tierNamed } from '../../publishers/tier-named.ts';
import { foldCode } from '../read/resolve-codes.ts';
import type { MemberInput } from './member-input.ts';
import { codeTaken } from './put-code.ts';
import { identityTaken } from './put-identity.ts';
import { requireFreePlayer } from './require-free-player.ts';

interface RefusedMember {
  publisherId: string;
  groupId: string;
  /** Account that may own the input's codes and identities; null if the account was rejected. */
  accountId: AccountId | null;
  refusals: CollectedRefusals;
}

/**
 * Rejects a member whose account or membership was already rejected. Also checks the input for other conflicts, so that
 * its author sees all of them at once. Doesn't write to the database.
 */
export async function refuseTaken(
  tx: ProgramTx,
  { publisherId, groupId, accountId, refusals }: RefusedMember,
  input: MemberInput,
): Promise<never> {
  const { codes = [], identities = [], tier, status } = input;
  if (accountId === null && status !== 'Removed')
    await refusals.at([], () => requireFreePlayer(tx, { publisherId, groupId }, input, null));
  if (accountId === null && typeof tier === 'string')
    await refusals.at(['tier'], () => tierNamed(tx, publisherId, groupId, tier));
  for (const [index, { code, group }] of codes.entries())
    await refusals.at(['codes', index], async () => {
      if (group !== undefined) return;
      const owner = await tx
        .selectFrom('global_code')
        .select('account_id')
        .where('code_folded', '=', foldCode(code))
        .executeTakeFirst();
      if (owner !== undefined && owner.account_id !== accountId) throw codeTaken(code);
    });
  for (const [index, { provider, id }] of identities.entries())
    await refusals.at(['identities', index], async () => {
      const owner = await tx
        .selectFrom('creator_identity')
        .select('account_id')
        .where('provider', '=', provider)
        .where('provider_account_id', '=', id)
        .executeTakeFirst();
      if (owner !== undefined && owner.account_id !== accountId) throw identityTaken(provider, id);
    });
  refusals.throwAny();
  throw new Error('nothing was refused');
}
