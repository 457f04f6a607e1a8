import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';

/**
 * Returns a code's account.
 * @throws Refusal InvalidAuthCode, ExpiredAuthCode, AccountNotFound for a closed account
 */
export async function requireFreshCode(tx: Db | Tx, codeHash: Buffer, now: Date): Promise<AccountId> {
  const code = await tx
    .selectFrom('auth_code as c')
    .innerJoin('creator_account as a', 'a.account_id', 'c.account_id')
    .select(['c.account_id', 'c.expires_at', 'a.closed_at'])
    .where('c.code_hash', '=', codeHash)
    .executeTakeFirst();
  if (code === undefined) throw invalidAuthCode();
  if (code.expires_at <= now)
    throw new Refusal(
      'ExpiredAuthCode',
      'The auth code has expired. Get a new one; codes are valid for 30 minutes.',
    );
  if (code.closed_at !== null) throw accountNotFound();
  return code.account_id;
}

/**
 * Deletes the code. If several requests with the same code run concurrently, at any publishers, only one
 * succeeds.
 */
export async function consumeCode(tx: Tx, codeHash: Buffer, accountId: AccountId): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('auth_code')
    .where('code_hash', '=', codeHash)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw invalidAuthCode();
}

export const invalidAuthCode = (): Refusal =>
  new Refusal(
    'InvalidAuthCode',
    "The auth code does not exist, or its account isn't a member of the group and can't claim one.",
  );

export const accountNotFound = (): Refusal =>
  new Refusal(
    'AccountNotFound',
    "The auth code's account was closed when another creator's account claimed it.",
  );
