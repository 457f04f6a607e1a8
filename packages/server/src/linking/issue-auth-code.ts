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

/** The contract's lifetime. */
const lifetimeMs = 30 * 60_000;
const attempts = 3;

/** What auth codes are hashed with, the same in all processes of an installation. */
export const authCodeSecret = (db: Db, sealer: Sealer): Promise<Buffer> =>
  serviceSecret(db, 'auth-code', sealer);

/** What codes are issued with. */
export interface Issuing {
  db: Db;
  secret: Buffer;
  now: Date;
}

export interface IssuedAuthCode {
  /** Shown this once: `XXXX-XXXX`. */
  authCode: string;
  /** The first moment at which it is no longer good. */
  expiresAt: Date;
}

/** A member of a publisher, by its account, or as the publisher knows it in a group. */
export type NamedMember = { publisherId: string } & (
  | { accountId: AccountId }
  | { groupId: string; playerId: string }
);

/**
 * Gives an account of a publisher's own a new auth code. What it links is a creator's to say, so a publisher is given
 * none for an account that another publisher made, that is a member at another one, or that was claimed (D32): with
 * it, a player of the other publisher would be paid what that creator earns there.
 * @throws Refusal PlayerNotInGroup or NotFound when there is no such member, AccountNotFound for a closed account,
 *   Forbidden for an account that the publisher cannot issue for
 */
export async function issueOwnAuthCode(
  { db, secret, now }: Issuing,
  actor: Actor,
  member: NamedMember,
): Promise<IssuedAuthCode & { accountId: AccountId }> {
  const { publisherId } = member;
  const accountId = await accountOf(db, member);
  return untilNobodyHasIt(() =>
    inTransaction(db, async (tx) => {
      // Links lock the account too, before its code: whatever one makes of it is seen by the next statement.
      await sql`select 1 from creator_account where account_id = ${accountId} for share`.execute(tx);
      const { rows } = await sql`
        select 1
        from creator_account a
        where a.account_id = ${accountId} and ${isOwnAlone(publisherId, accountId)}`.execute(tx);
      if (rows.length === 0)
        throw new Refusal(
          'Forbidden',
          `The account ${accountId} is not publisher ${publisherId}'s alone: its creator gets auth codes, and gives them out.`,
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

/**
 * Condition that an account `a` is a publisher's own: no creator has claimed it, and no other publisher has it as a
 * member. The account is named as a value too: from a table that all nodes have, Citus takes no correlated subquery.
 */
export const isOwnAlone = (publisherId: string, accountId: AccountId): RawBuilder<boolean> => sql`
  (a.owner_publisher_id is not distinct from ${publisherId}::text and a.closed_at is null
   and a.account_id <> all (array(
     select m.account_id from membership m where m.account_id = ${accountId} and m.publisher_id <> ${publisherId})))`;

async function accountOf(db: Db, member: NamedMember): Promise<AccountId> {
  if ('playerId' in member) return findAccountOfPlayer(db, member);
  await requireMemberAccount(db, member.publisherId, member.accountId);
  return member.accountId;
}

/**
 * Gives an account a new auth code, at the word of its creator; the one it had is good no longer. It is no publisher's
 * business, and in no publisher's audit log, until it links.
 */
export const issueAuthCode = ({ db, secret, now }: Issuing, accountId: AccountId): Promise<IssuedAuthCode> =>
  untilNobodyHasIt(() => saveNewCode(db, { secret, accountId, now }));

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

/** Another account may have the very code that was made up: one in billions, so another one will do. */
async function untilNobodyHasIt<Result>(issue: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await issue();
    } catch (error) {
      if (attempt === attempts || violatedConstraint(error) !== 'auth_code_code_hash_key') throw error;
    }
  }
}
