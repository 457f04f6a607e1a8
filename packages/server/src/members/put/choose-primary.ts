import { sql } from 'kysely';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import { foldCode } from '../read/resolve-codes.ts';
import type { CodeInput } from './member-input.ts';
import type { CodeOwner } from './put-code.ts';

/**
 * Makes a member's first new code primary if the member has no primary code and the input doesn't choose one. Part
 * of `putMember`.
 * @param codes codes in the input
 */
export async function choosePrimary(
  tx: ProgramTx,
  { publisherId, accountId, membershipId, changes }: CodeOwner,
  codes: readonly CodeInput[],
): Promise<void> {
  if (codes.some(({ primary }) => primary === true)) return;
  const first = codes.find((code) => code.primary !== false);
  if (first === undefined) return;
  const { rows } = await sql<{ has_primary: boolean }>`
    select exists (select 1 from global_code where account_id = ${accountId} and is_primary)
        or exists (select 1 from group_code
                   where publisher_id = ${publisherId} and membership_id = ${membershipId}::uuid and is_primary) as has_primary`.execute(
    tx,
  );
  if (rows[0]?.has_primary !== false) return;
  const folded = foldCode(first.code);
  if (first.group === undefined)
    await sql`update global_code set is_primary = true where code_folded = ${folded}`.execute(tx);
  else
    await sql`
      update group_code
      set is_primary = true
      where publisher_id = ${publisherId} and group_id = ${first.group} and code_folded = ${folded}`.execute(
      tx,
    );
  changes.addCode(first.code, null, { primary: true }, first.group === undefined);
}
