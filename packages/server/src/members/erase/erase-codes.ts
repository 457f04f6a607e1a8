import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import { type ProgramTx, programChanged } from '../../publishers/changing-program.ts';
import { publishersOf } from '../read/publishers-of.ts';
import { foldCode } from '../read/resolve-codes.ts';

/** Returns the code that replaces an erased code. Returns a code that already replaces one unchanged. */
export type ReplaceCode = (code: string) => string;

const replaced = /^ERASED-[0-9A-F]{10}$/;

/**
 * Returns a function that replaces codes. Each code gets the same replacement again after a kill, without being stored, and
 * two codes get different ones, so sums by code stay apart.
 * @param secret the service's secret, without which a replacement can't be compared with a guessed code
 */
export const replacingCodes =
  (secret: Buffer): ReplaceCode =>
  (code) =>
    replaced.test(code)
      ? code
      : `ERASED-${createHmac('sha256', secret).update(foldCode(code)).digest('hex').slice(0, 10).toUpperCase()}`;

interface OwnerOfCodes {
  accountIds: readonly AccountId[];
  publisherId: string;
  membershipIds: readonly MembershipId[];
}

/** Returns the codes of a creator at a publisher, global codes included. */
export async function readCodesOf(
  db: Db,
  { accountIds, publisherId, membershipIds }: OwnerOfCodes,
): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select code from global_code where account_id = any(${[...accountIds]}::text[])
    union
    select code from group_code
    where publisher_id = ${publisherId} and membership_id = any(${[...membershipIds]}::uuid[])`.execute(db);
  return rows.map(({ code }) => code);
}

/** Replaces a creator's group codes at a publisher. @returns the number of codes */
export async function replaceGroupCodes(
  tx: ProgramTx,
  { publisherId, membershipIds }: OwnerOfCodes,
  replace: ReplaceCode,
): Promise<number> {
  const codes = await tx
    .selectFrom('group_code')
    .select(['group_id', 'code_folded', 'code'])
    .where('publisher_id', '=', publisherId)
    .where('membership_id', 'in', [...membershipIds])
    .execute();
  let changed = 0;
  for (const { group_id, code_folded, code } of codes) {
    const next = replace(code);
    if (next === code) continue;
    await tx
      .updateTable('group_code')
      .set({ code: next, code_folded: foldCode(next), is_approved: false })
      .where('publisher_id', '=', publisherId)
      .where('group_id', '=', group_id)
      .where('code_folded', '=', code_folded)
      .execute();
    changed += 1;
  }
  if (changed > 0) programChanged(tx, publisherId);
  return changed;
}

/** Replaces a creator's global codes. @returns the number of codes */
export async function replaceGlobalCodes(
  tx: ProgramTx,
  accountIds: readonly AccountId[],
  replace: ReplaceCode,
): Promise<number> {
  const codes = await tx
    .selectFrom('global_code')
    .select(['code_folded', 'code'])
    .where('account_id', 'in', [...accountIds])
    .execute();
  let changed = 0;
  for (const { code_folded, code } of codes) {
    const next = replace(code);
    if (next === code) continue;
    await tx
      .updateTable('global_code')
      .set({ code: next, code_folded: foldCode(next), is_approved: false })
      .where('code_folded', '=', code_folded)
      .execute();
    changed += 1;
  }
  if (changed > 0) for (const each of await publishersOf(tx, accountIds)) programChanged(tx, each);
  return changed;
}
