import { sql } from 'kysely';
import { announceNewMember } from '../members/announce-member.ts';
import { type PlainMemberRecord, readMembers } from '../members/member-record.ts';
import type { PlayerMetadata } from '../members/player-metadata.ts';
import { publishersOf } from '../members/publishers-of.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import type { AccountId, MembershipId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import { changingProgramme, programmeChanged } from '../publishers/changing-programme.ts';
import type { CreatorGroup } from '../publishers/programmes.ts';
import { lockForSettling } from '../settlement/settlement-lock.ts';
import { hashAuthCode } from './auth-code.ts';
import { claimAccount, type MergeProgress } from './claim-account.ts';

export interface Link {
  playerId: string;
  /** As the creator typed it. */
  authCode: string;
  /** Replaces what the publisher keeps with the member; null leaves it as it is. */
  playerMetadata: PlayerMetadata | null;
  /** Replaces this property of it alone. */
  displayName: string | null;
}

/** The same, with what other rooms give it. */
export type LinkAccount = (
  ...said: Parameters<typeof linkAccount> extends [unknown, ...infer Said] ? Said : never
) => ReturnType<typeof linkAccount>;

/**
 * Links the account behind an auth code to a publisher's player, in one commit that also uses the code up: claims
 * the unclaimed member of that player when there is one, else names the player in the account's own membership.
 * A link that fails changes nothing, and its code stays good.
 * @throws Refusal 400, the first that applies: InvalidAuthCode (no such code), ExpiredAuthCode, AccountNotFound,
 *   PlayerAlreadyLinked, MemberAlreadyLinked, InvalidAuthCode (nothing to link)
 */
export async function linkAccount(
  { mergeProgress }: { mergeProgress: MergeProgress },
  db: Db,
  authCodeSecret: Buffer,
  publisherId: string,
  group: CreatorGroup,
  link: Link,
  now: Date,
): Promise<PlainMemberRecord> {
  const codeHash = hashAuthCode(authCodeSecret, link.authCode);
  if (codeHash === null) throw invalidAuthCode();
  return inTransaction(db, async (tx) => {
    // A guess ends here, having locked nothing.
    await requireFreshCode(tx, codeHash, now);
    await lockForSettling(tx, publisherId); // payouts count members while nobody merges
    return changingProgramme(tx, publisherId, async (tx) => {
      const accountId = await consumeCode(tx, codeHash);
      if (!(await lockOpenAccount(tx, accountId))) throw accountNotFound();
      const unclaimedId = await accountToClaim(tx, publisherId, group.groupId, link.playerId, accountId);
      const own = await ownMembership(tx, publisherId, group.groupId, accountId);
      if (own !== null && own.player_id !== null && own.player_id !== link.playerId)
        throw new Refusal('MemberAlreadyLinked', 'The account is linked to another playerId of this group.');
      if (unclaimedId !== null) {
        const { joined, isGlobal } = await claimAccount(
          tx,
          mergeProgress,
          publisherId,
          unclaimedId,
          accountId,
          now,
        );
        for (const membershipId of joined) await announceNewMember(tx, publisherId, membershipId);
        programmeChanged(tx, publisherId);
        if (isGlobal) for (const each of await publishersOf(tx, [accountId])) programmeChanged(tx, each);
      } else if (own === null) {
        throw invalidAuthCode();
      }
      if (await namePlayer(tx, publisherId, group.groupId, accountId, link))
        programmeChanged(tx, publisherId);
      return linkedMember(tx, publisherId, group, accountId);
    });
  });
}

async function requireFreshCode(tx: Tx, codeHash: Buffer, now: Date): Promise<void> {
  const code = await tx
    .selectFrom('auth_code as c')
    .innerJoin('creator_account as a', 'a.account_id', 'c.account_id')
    .select(['c.expires_at', 'a.closed_at'])
    .where('c.code_hash', '=', codeHash)
    .executeTakeFirst();
  if (code === undefined) throw invalidAuthCode();
  if (code.expires_at <= now)
    throw new Refusal('ExpiredAuthCode', 'The auth code is older than 30 minutes; ask for a new one.');
  if (code.closed_at !== null) throw accountNotFound();
}

/** Of any number of links with one code, at any publishers, one deletes it. */
async function consumeCode(tx: Tx, codeHash: Buffer): Promise<AccountId> {
  const consumed = await tx
    .deleteFrom('auth_code')
    .where('code_hash', '=', codeHash)
    .returning('account_id')
    .executeTakeFirst();
  if (consumed === undefined) throw invalidAuthCode();
  return consumed.account_id;
}

/** @returns false when another account claimed it, perhaps a moment ago, and it is closed */
async function lockOpenAccount(tx: Tx, accountId: AccountId): Promise<boolean> {
  const account = await tx
    .selectFrom('creator_account')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return account !== undefined;
}

/**
 * The unclaimed account whose member has the player id, locked: made by this publisher and a member nowhere else,
 * with a code of its own in the group or everywhere, and none that is not managed.
 * @returns null when the player id is free, or the account's own
 * @throws Refusal PlayerAlreadyLinked when it is another member's
 */
async function accountToClaim(
  tx: Tx,
  publisherId: string,
  groupId: string,
  playerId: string,
  accountId: AccountId,
): Promise<AccountId | null> {
  const holder = await tx
    .selectFrom('membership')
    .select(['membership_id', 'account_id'])
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('player_id', '=', playerId)
    .where('status', '<>', 'Removed')
    .executeTakeFirst();
  if (holder === undefined || holder.account_id === accountId) return null;
  const taken = new Refusal('PlayerAlreadyLinked', 'The playerId is linked to another member of this group.');
  // A statement of its own: the next one sees what was committed while this one waited, such as a link of the
  // holder's at another publisher, which locks its account as well.
  if (!(await lockOpenAccount(tx, holder.account_id))) throw taken;
  const { rows } = await sql`
    with code as (
      select is_managed, true as is_here from global_code where account_id = ${holder.account_id}
      union all
      select g.is_managed, g.membership_id = ${holder.membership_id}::uuid
      from membership m
      join group_code g on g.publisher_id = m.publisher_id and g.membership_id = m.membership_id
      where m.publisher_id = ${publisherId} and m.account_id = ${holder.account_id}
    )
    select
    from creator_account a
    where a.account_id = ${holder.account_id} and a.owner_publisher_id = ${publisherId}
      and not exists (
        select from membership o where o.account_id = a.account_id and o.publisher_id <> ${publisherId})
      and (select bool_and(is_managed) and bool_or(is_here) from code)`.execute(tx);
  if (rows.length === 0) throw taken;
  return holder.account_id;
}

async function ownMembership(
  tx: Tx,
  publisherId: string,
  groupId: string,
  accountId: AccountId,
): Promise<{ player_id: string | null } | null> {
  const own = await tx
    .selectFrom('membership')
    .select('player_id')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('account_id', '=', accountId)
    .where('status', '<>', 'Removed')
    .executeTakeFirst();
  return own ?? null;
}

/**
 * What is sent of the metadata replaces what was kept; a display name alone leaves other properties in place.
 * @returns whether the member is another one than before
 */
async function namePlayer(
  tx: Tx,
  publisherId: string,
  groupId: string,
  accountId: AccountId,
  { playerId, playerMetadata, displayName }: Link,
): Promise<boolean> {
  const { rows } = await sql<{
    membership_id: MembershipId;
    player_id: string | null;
    player_metadata: PlayerMetadata | null;
  }>`
    select membership_id, player_id, player_metadata
    from membership
    where publisher_id = ${publisherId} and group_id = ${groupId} and account_id = ${accountId}
    for no key update`.execute(tx);
  const [membership] = rows;
  if (membership === undefined) throw new Error('an account was linked that is no member');
  const before = membership.player_metadata;
  const kept = playerMetadata ?? before;
  const metadata = displayName === null ? kept : { ...kept, displayName };
  if (membership.player_id === playerId && JSON.stringify(metadata) === JSON.stringify(before)) return false;
  await tx
    .updateTable('membership')
    .set({ player_id: playerId, player_metadata: metadata === null ? null : JSON.stringify(metadata) })
    .where('publisher_id', '=', publisherId)
    .where('membership_id', '=', membership.membership_id)
    .execute();
  return true;
}

async function linkedMember(
  tx: Tx,
  publisherId: string,
  group: CreatorGroup,
  accountId: AccountId,
): Promise<PlainMemberRecord> {
  const [member] = await readMembers(tx, publisherId, group, sql`m.account_id = ${accountId}`);
  if (member === undefined) throw new Error('an account was linked that is no member');
  return member;
}

const invalidAuthCode = (): Refusal =>
  new Refusal(
    'InvalidAuthCode',
    'The auth code does not exist, or its account is no member of the group and has none to claim.',
  );

const accountNotFound = (): Refusal =>
  new Refusal(
    'AccountNotFound',
    "The auth code's account is closed: it became part of another creator's account.",
  );
