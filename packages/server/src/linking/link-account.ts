import { sql } from 'kysely';
import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { claimAccount, type MergeProgress } from '../members/claim/claim-account.ts';
import { lockClaimable, lockOpenAccount } from '../members/claim/lock-claimable.ts';
import { type PlayerToSet, setPlayer } from '../members/claim/set-player.ts';
import { checkPlayerMetadata } from '../members/player-metadata.ts';
import { type PlainMemberRecord, readMembers } from '../members/read/member-record.ts';
import { moveMethods } from '../payees/move-methods.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import { changingProgram } from '../publishers/changing-program.ts';
import type { CreatorGroup } from '../publishers/programs.ts';
import { moveReviews } from '../settlement/gates/move-reviews.ts';
import { moveHolds } from '../settlement/holds/move-holds.ts';
import { lockForPosting } from '../settlement/settlement-lock.ts';
import { hashAuthCode } from './auth-code.ts';
import { accountNotFound, consumeCode, invalidAuthCode, requireFreshCode } from './use-auth-code.ts';

export interface Link
  extends Pick<PlayerToSet, 'publisherId' | 'playerId' | 'playerMetadata' | 'displayName'> {
  group: CreatorGroup;
  /** Code as the creator typed it. */
  authCode: string;
  authCodeSecret: Buffer;
  sealer: Sealer;
  now: Date;
}

/** `linkAccount` with its dependencies on other slices bound. */
export type LinkAccount = (
  ...args: Parameters<typeof linkAccount> extends [unknown, ...infer Args] ? Args : never
) => ReturnType<typeof linkAccount>;

/**
 * Links the account behind an auth code to a publisher's player and uses up the code, in one commit. If the player has
 * an unclaimed member, the account claims that member. Otherwise, the account's own membership gets the playerId. A
 * failed link changes no data, and its code remains valid.
 * @throws Refusal, the first that applies: InvalidInput (too much metadata), InvalidAuthCode (no such code),
 * ExpiredAuthCode, AccountNotFound, PlayerAlreadyLinked, MemberAlreadyLinked, InvalidAuthCode (nothing to link)
 */
export async function linkAccount(
  { mergeProgress }: { mergeProgress: MergeProgress },
  db: Db,
  actor: Actor,
  { publisherId, group, authCode, authCodeSecret, sealer, now, ...player }: Link,
): Promise<PlainMemberRecord> {
  if (player.playerMetadata !== null) checkPlayerMetadata(player.playerMetadata);
  const codeHash = hashAuthCode(authCodeSecret, authCode);
  if (codeHash === null) throw invalidAuthCode();
  const { groupId } = group;
  const { playerId } = player;
  return inTransaction(db, async (tx) => {
    // Reject guessed codes here, before taking any locks.
    const accountId = await requireFreshCode(tx, codeHash, now);
    await lockForPosting(tx, publisherId); // prevents merges while a payout reads its cutoff
    return changingProgram(tx, publisherId, async (tx) => {
      // Lock the account before its code, as in issueOwnAuthCode.
      const isOpen = await lockOpenAccount(tx, accountId);
      await consumeCode(tx, codeHash, accountId);
      if (!isOpen) throw accountNotFound();
      const unclaimedId = await lockClaimable(tx, { publisherId, groupId, playerId, accountId });
      const own = await ownMembership(tx, publisherId, groupId, accountId);
      if (own !== null && own.player_id !== null && own.player_id !== playerId)
        throw new Refusal(
          'MemberAlreadyLinked',
          'The account is already linked to a different playerId in this group.',
        );
      if (unclaimedId !== null) {
        await claimAccount(tx, mergeProgress, { publisherId, unclaimedId, accountId, now });
        await moveHolds(tx, publisherId, { from: unclaimedId, to: accountId });
        await moveMethods(tx, sealer, publisherId, { from: unclaimedId, to: accountId });
        await moveReviews(tx, publisherId, { from: unclaimedId, to: accountId });
      } else if (own === null) throw invalidAuthCode();
      await setPlayer(tx, { publisherId, groupId, accountId, ...player });
      await recordChange(tx, actor, {
        publisherId,
        action: 'member.link',
        target: `member:${accountId}`,
        before: own && { group: groupId, playerId: own.player_id },
        after: { group: groupId, playerId, ...(unclaimedId !== null && { claimed: unclaimedId }) },
      });
      return linkedMember(tx, publisherId, group, accountId);
    });
  });
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

async function linkedMember(
  tx: Tx,
  publisherId: string,
  group: CreatorGroup,
  accountId: AccountId,
): Promise<PlainMemberRecord> {
  const [member] = await readMembers(tx, {
    publisherId,
    group,
    condition: sql`m.account_id = ${accountId}`,
  });
  if (member === undefined) throw new Error('a linked account is not a member');
  return member;
}
