import { actorOf, type RequestSource } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { lockOpenAccount } from '../members/claim/lock-claimable.ts';
import { publishersOf } from '../members/read/publishers-of.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Proof } from './own-accounts.ts';

/** Maximum number of accounts that one person may see. */
const maxAccounts = 50;

export interface Connection {
  userId: string;
  accountId: AccountId;
  proof: Proof;
  source: RequestSource;
  now: Date;
}

/**
 * Locks an account, so that it is neither claimed nor connected to another person at the same time.
 * @returns the account's name
 * @throws Refusal AccountNotFound if another account has claimed it
 */
export async function lockAccount(tx: Tx, accountId: AccountId): Promise<string> {
  if (!(await lockOpenAccount(tx, accountId)))
    throw new Refusal(
      'AccountNotFound',
      'This account was closed because another account has claimed it. Ask the publisher for a new code.',
    );
  return nameOf(tx, accountId);
}

export async function nameOf(tx: Tx, accountId: AccountId): Promise<string> {
  const { name } = await tx
    .selectFrom('creator_account')
    .select('name')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return name;
}

/**
 * Connects an account to the person who may see it. The caller has checked the proof and locked the account. Connecting
 * an account that the person already has changes nothing.
 * @throws Refusal Conflict if another person has the account
 */
export async function connectAccount(
  tx: Tx,
  { userId, accountId, proof, source, now }: Connection,
): Promise<void> {
  const seenBy = await findUserOf(tx, accountId);
  if (seenBy === userId) return;
  if (seenBy !== null) throw alreadyConnected();
  // Locks the person, so that concurrent connections are counted one after another.
  await tx.selectFrom('portal_user').select('user_id').where('user_id', '=', userId).forUpdate().execute();
  const own = await tx
    .selectFrom('portal_user_account')
    .select('account_id')
    .where('user_id', '=', userId)
    .limit(maxAccounts)
    .execute();
  if (own.length === maxAccounts)
    throw new Refusal('Conflict', `You already have ${maxAccounts} creator accounts, which is the maximum.`);
  await tx
    .insertInto('portal_user_account')
    .values({ account_id: accountId, user_id: userId, proof, proven_at: now })
    .execute();
  const name = await nameOf(tx, accountId);
  for (const publisherId of await publishersOf(tx, [accountId]))
    await recordChange(tx, actorOf({ kind: 'creator', accountId, name }, source), {
      publisherId,
      action: 'portal.connect',
      target: `member:${accountId}`,
      after: { proof },
    });
}

/** Returns the person who may see an account, or null. */
export async function findUserOf(tx: Tx, accountId: AccountId): Promise<string | null> {
  const found = await tx
    .selectFrom('portal_user_account')
    .select('user_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return found?.user_id ?? null;
}

export const alreadyConnected = (): Refusal =>
  new Refusal(
    'Conflict',
    'This creator account is already connected to another sign-in. Sign in with the other address, or ask the publisher to disconnect it.',
  );
