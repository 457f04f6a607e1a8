import type { CollectedRefusals } from '../../platform/collect-refusals.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import { tierNamed } from '../../publishers/tier-named.ts';
import { foldCode } from '../read/resolve-codes.ts';
import type { MemberInput } from './member-input.ts';
import { codeTaken } from './put-code.ts';
import { identityTaken } from './put-identity.ts';
import { requireFreePlayer } from './require-free-player.ts';

interface Refused {
  publisherId: string;
  groupId: string;
  /** The account whose codes and identities may be named; null when it is not the publisher's to name. */
  accountId: AccountId | null;
  refusals: CollectedRefusals;
}

/**
 * Refuses a member that cannot be, together with what else its input names and others have, so that whoever wrote it learns
 * all of it at once. Reads alone.
 */
export async function refuseTaken(
  tx: ProgramTx,
  { publisherId, groupId, accountId, refusals }: Refused,
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
      const holder = await tx
        .selectFrom('global_code')
        .select('account_id')
        .where('code_folded', '=', foldCode(code))
        .executeTakeFirst();
      if (holder !== undefined && holder.account_id !== accountId) throw codeTaken(code);
    });
  for (const [index, { provider, id }] of identities.entries())
    await refusals.at(['identities', index], async () => {
      const holder = await tx
        .selectFrom('creator_identity')
        .select('account_id')
        .where('provider', '=', provider)
        .where('provider_account_id', '=', id)
        .executeTakeFirst();
      if (holder !== undefined && holder.account_id !== accountId) throw identityTaken(provider, id);
    });
  refusals.throwAny();
  throw new Error('nothing was refused');
}
