import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { findAccountOfPlayer, requireMemberAccount } from '../members/read/find-account.ts';
import type { Db } from '../platform/database/database.ts';
import { violatedConstraint } from '../platform/database/database-errors.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import { serviceSecret } from '../platform/secrets/service-secret.ts';
import { hashAuthCode, newAuthCode } from './auth-code.ts';

/** Lifetime of a code, as specified by the contract. */
const lifetimeMs = 30 * 60_000;
const maxAttempts = 3;

/** Returns the secret for hashing auth codes, which all processes of an installation share. */
export const authCodeSecret = (db: Db, sealer: Sealer): Promise<Buffer> =>
  serviceSecret(db, 'auth-code', sealer);

export interface IssueDeps {
  db: Db;
  secret: Buffer;
  now: Date;
}

export interface IssuedAuthCode {
  /** In the form `XXXX-XXXX`. Shown only once. */
  authCode: string;
  expiresAt: Date;
}

/** Member of a publisher, identified by its account, or by its playerId in a group. */
export type NamedMember = { publisherId: string } & (
  | { accountId: AccountId }
  | { groupId: string; playerId: string }
);

/**
 * Issues a new auth code for an account that belongs only to the publisher. The creator decides which players an
 * account is linked to. A publisher therefore can't get codes for accounts that another publisher created, that are
 * members of another publisher's groups, or that have been claimed (D32). Otherwise, one of the publisher's players
 * could be paid the creator's earnings from the other publisher.
 * @throws Refusal PlayerNotInGroup or NotFound if the member doesn't exist; AccountNotFound for a closed account;
 * Forbidden for an account that the publisher can't issue codes for
 */
export async function issueOwnAuthCode(
  { db, secret, now }: IssueDeps,
  actor: Actor,
  member: NamedMember,
): Promise<IssuedAuthCode & { accountId: AccountId }> {
  const { publisherId } = member;
  const accountId = await accountOf(db, member);
  return withUniqueCode(() =>
    inTransaction(db, async (tx) => {
      // Linking also locks the account before its code, so the next statement sees the result of a concurrent
      // link.
      await sql`select 1 from creator_account where account_id = ${accountId} for share`.execute(tx);
      if (!(await isOnlyAt(tx, publisherId, accountId)))
        throw new Refusal(
          'Forbidden',
          `Account ${accountId} does not belong only to publisher ${publisherId}. Ask its creator for an auth code.`,
        );
      const issued = await saveNewCode(tx, { secret, accountId, now });
      await recordChange(tx, actor, {
        publisherId,
        action: 'auth-code.issue',
        target: `member:${accountId}`,
        after: { expiresAt: issued.expiresAt },
      });
      return { ...issued, accountId };
    }),
  );
}

/** Returns whether an account belongs only to the publisher, so that the publisher may give a person access to it. */
export async function isOnlyAt(tx: Tx, publisherId: string, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from creator_account a
    where a.account_id = ${accountId} and ${belongsOnlyTo(publisherId, accountId)}`.execute(tx);
  return rows.length > 0;
}

/**
 * Returns a condition that is true if the account `a` belongs to only one publisher: no creator has claimed the
 * account, and it isn't a member of any other publisher's groups. The account's id is also passed as a value, because
 * Citus rejects correlated subqueries on a reference table.
 */
export const belongsOnlyTo = (publisherId: string, accountId: AccountId): RawBuilder<boolean> => sql`
  (a.owner_publisher_id is not distinct from ${publisherId}::text and a.closed_at is null
   and a.account_id <> all (array(
     select m.account_id from membership m where m.account_id = ${accountId} and m.publisher_id <> ${publisherId})))`;

async function accountOf(db: Db, member: NamedMember): Promise<AccountId> {
  if ('playerId' in member) return findAccountOfPlayer(db, member);
  await requireMemberAccount(db, member.publisherId, member.accountId);
  return member.accountId;
}

/**
 * Issues a new auth code at the request of the account's creator, replacing the previous code. The new code doesn't
 * appear in any publisher's audit log until it is used for a link.
 */
export const issueAuthCode = (
  { db, secret, now }: IssueDeps,
  accountId: AccountId,
): Promise<IssuedAuthCode> => withUniqueCode(() => saveNewCode(db, { secret, accountId, now }));

async function saveNewCode(
  db: Db | Tx,
  { secret, accountId, now }: { secret: Buffer; accountId: AccountId; now: Date },
): Promise<IssuedAuthCode> {
  const authCode = newAuthCode();
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  await sql`
    insert into auth_code (account_id, code_hash, issued_at, expires_at)
    values (${accountId}, ${hashAuthCode(secret, authCode)}, ${now}, ${expiresAt})
    on conflict (account_id) do update
      set code_hash = excluded.code_hash, issued_at = excluded.issued_at, expires_at = excluded.expires_at`.execute(
    db,
  );
  return { authCode, expiresAt };
}

/** Retry in the extremely unlikely case (one in billions) that another account already has the generated code. */
async function withUniqueCode<Result>(issue: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await issue();
    } catch (error) {
      if (attempt === maxAttempts || violatedConstraint(error) !== 'auth_code_code_hash_key') throw error;
    }
  }
}
