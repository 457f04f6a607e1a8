import type { RequestSource } from '../audit/actor.ts';
import { hashAuthCode } from '../linking/auth-code.ts';
import { consumeCode, requireFreshCode } from '../linking/use-auth-code.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import { alreadyConnected, connectAccount, findUserOf, lockAccount, nameOf } from './connect-account.ts';
import { type PublisherOfCreator, readPublishersOf } from './own-accounts.ts';

interface TypedAuthCode {
  userId: string;
  /** Auth code as the creator typed it. */
  authCode: string;
  authCodeSecret: Buffer;
  now: Date;
}

/** Account behind an auth code, with everything that the person will see. */
export interface ClaimPreview {
  accountId: AccountId;
  name: string;
  publishers: PublisherOfCreator[];
  /** True if the person already sees the account. */
  isOwn: boolean;
}

/**
 * Reads which account an auth code stands for, without using up the code.
 * @throws Refusal InvalidAuthCode, ExpiredAuthCode, AccountNotFound; Conflict if another person has the account
 */
export const previewClaim = (db: Db, { userId, now, ...typed }: TypedAuthCode): Promise<ClaimPreview> =>
  inTransaction(db, async (tx) => {
    const accountId = await accountOf(tx, requireHash(typed), now);
    const seenBy = await findUserOf(tx, accountId);
    if (seenBy !== null && seenBy !== userId) throw alreadyConnected();
    return readClaim(tx, accountId, seenBy !== null);
  });

/**
 * Connects the account behind an auth code to the person, and uses up the code. A failed attempt changes nothing.
 * @throws Refusal for the same reasons as previewClaim
 */
export const claimWithCode = (
  db: Db,
  { userId, now, source, ...typed }: TypedAuthCode & { source: RequestSource },
): Promise<ClaimPreview> =>
  inTransaction(db, async (tx) => {
    const codeHash = requireHash(typed);
    const accountId = await accountOf(tx, codeHash, now);
    // The account is locked before its code, as in a link.
    await lockAccount(tx, accountId);
    await consumeCode(tx, codeHash, accountId).catch(inOwnWords);
    await connectAccount(tx, { userId, accountId, proof: 'auth-code', source, now });
    return readClaim(tx, accountId, true);
  });

const accountOf = (tx: Tx, codeHash: Buffer, now: Date): Promise<AccountId> =>
  requireFreshCode(tx, codeHash, now).catch(inOwnWords);

async function readClaim(tx: Tx, accountId: AccountId, isOwn: boolean): Promise<ClaimPreview> {
  const name = await nameOf(tx, accountId);
  const publishers = await readPublishersOf(tx, [accountId]);
  return { accountId, name, publishers: publishers.get(accountId) ?? [], isOwn };
}

function requireHash({
  authCode,
  authCodeSecret,
}: Pick<TypedAuthCode, 'authCode' | 'authCodeSecret'>): Buffer {
  const codeHash = hashAuthCode(authCodeSecret, authCode);
  if (codeHash === null) throw wrongCode();
  return codeHash;
}

/** Replaces the message for a publisher's back end, which also covers the player of a link. */
function inOwnWords(error: unknown): never {
  throw error instanceof Refusal && error.code === 'InvalidAuthCode' ? wrongCode() : error;
}

const wrongCode = (): Refusal =>
  new Refusal(
    'InvalidAuthCode',
    'This code is wrong, was already used, or was replaced by a newer one. Check it, or ask the publisher for a new one.',
  );
