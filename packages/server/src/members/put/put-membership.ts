import { sql } from 'kysely';
import { differences } from '../../audit/differences.ts';
import { CollectedRefusals } from '../../platform/collect-refusals.ts';
import { violatedConstraint } from '../../platform/database/database-errors.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import { refusingAt } from '../../platform/refusal.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import { tierNamed } from '../../publishers/tier-named.ts';
import { tellOfStatus } from '../change/tell-of-status.ts';
import { writeStatus } from '../change/write-status.ts';
import type { MemberStatus } from '../lock-members.ts';
import type { MemberChanges } from './member-changes.ts';
import type { MemberInput } from './member-input.ts';
import { playerTaken, requireFreePlayer } from './require-free-player.ts';

interface MembershipPlace {
  publisherId: string;
  groupId: string;
  accountId: AccountId;
  changes: MemberChanges;
}

interface FoundMembership {
  membershipId: MembershipId;
  isNew: boolean;
  status: MemberStatus;
}

/**
 * Creates an account's membership in a group, or updates the parts that the input specifies, except for the
 * status. Part of `putMember`.
 */
export async function putMembership(
  tx: ProgramTx,
  place: MembershipPlace,
  input: MemberInput,
): Promise<FoundMembership> {
  const { publisherId, groupId, accountId, changes } = place;
  const known = await readMembership(tx, place);
  const { playerId, visible, tier, playerMetadata } = input;
  const stored = known && {
    playerId: known.player_id,
    visible: known.is_visible,
    tier: known.tier,
    playerMetadata: known.player_metadata,
  };
  const wanted = {
    playerId,
    visible,
    tier,
    playerMetadata: playerMetadata && JSON.stringify(playerMetadata),
  };
  const change = differences(stored ?? nothingStored, wanted);
  const membershipId = known?.membership_id ?? newRowId<MembershipId>();
  const refusals = new CollectedRefusals();
  if (needsPlayer(known, input))
    await refusals.at([], () => requireFreePlayer(tx, place, input, known?.player_id ?? null));
  const columns = (await refusals.at([], () => columnsOf(tx, place, change?.after ?? {}))) ?? {};
  refusals.throwAny();
  await rejectingTakenPlayer(place, input, async () => {
    if (known === null)
      await tx
        .insertInto('membership')
        .values({
          publisher_id: publisherId,
          membership_id: membershipId,
          group_id: groupId,
          account_id: accountId,
          status: 'Removed', // until putStatus runs
          ...columns,
        })
        .execute();
    else if (change !== null)
      await tx
        .updateTable('membership')
        .set(columns)
        .where('publisher_id', '=', publisherId)
        .where('membership_id', '=', membershipId)
        .execute();
  });
  if (change !== null) changes.addMemberFacts(withoutMetadata(change.before), withoutMetadata(change.after));
  return { membershipId, isNew: known === null, status: known?.status ?? 'Removed' };
}

interface StatusToPut extends MembershipPlace {
  membershipId: MembershipId;
  isNew: boolean;
  previous: MemberStatus;
}

/**
 * Sets a member's status from the input. If the input has no status, a new member is Approved, and an
 * existing member keeps its status.
 */
export async function putStatus(tx: ProgramTx, place: StatusToPut, input: MemberInput): Promise<void> {
  const { publisherId, membershipId, isNew, previous, changes } = place;
  const status = input.status ?? (isNew ? 'Approved' : undefined);
  if (isNew) changes.addMemberFacts({}, { status: status ?? previous });
  if (status === undefined || status === previous) return;
  const reason = input.removalReason ?? `${status} by the publisher`;
  await rejectingTakenPlayer(place, input, () =>
    writeStatus(tx, { publisherId, membershipId, status, reason }),
  );
  if (!isNew) await tellOfStatus(tx, { publisherId, membershipId, before: previous, status });
  if (!isNew) changes.addMemberFacts({ status: previous }, { status });
}

interface Stored {
  playerId: string | null;
  visible: boolean;
  tier: string | null;
  /** Metadata as JSON. */
  playerMetadata: string | null;
  readonly [name: string]: unknown;
}

const nothingStored: Stored = { playerId: null, visible: true, tier: null, playerMetadata: null };

interface KnownMembership {
  membership_id: MembershipId;
  status: MemberStatus;
  player_id: string | null;
  is_visible: boolean;
  player_metadata: string | null;
  tier: string | null;
}

async function readMembership(
  tx: ProgramTx,
  { publisherId, groupId, accountId }: MembershipPlace,
): Promise<KnownMembership | null> {
  const { rows } = await sql<KnownMembership>`
    select m.membership_id, m.status, m.player_id, m.is_visible, m.player_metadata::text as player_metadata, t.name as tier
    from membership m
    left join tier t on t.publisher_id = ${publisherId} and t.tier_id = m.tier_id
    where m.publisher_id = ${publisherId} and m.account_id = ${accountId} and m.group_id = ${groupId}`.execute(
    tx,
  );
  return rows[0] ?? null;
}

async function columnsOf(
  tx: ProgramTx,
  { publisherId, groupId }: MembershipPlace,
  { playerId, visible, tier, playerMetadata }: Partial<Stored>,
) {
  return {
    ...(playerId !== undefined && { player_id: playerId }),
    ...(visible !== undefined && { is_visible: visible }),
    ...(playerMetadata !== undefined && { player_metadata: playerMetadata }),
    ...(tier !== undefined && {
      tier_id:
        tier === null ? null : await refusingAt(['tier'], () => tierNamed(tx, publisherId, groupId, tier)),
    }),
  };
}

/**
 * Replaces metadata with a placeholder, so that audit entries show that it changed but don't contain the publisher's
 * own data, which can be large.
 */
const withoutMetadata = ({ playerMetadata, ...facts }: Partial<Stored>) => ({
  ...facts,
  ...(playerMetadata !== undefined && { playerMetadata: playerMetadata === null ? null : '…' }),
});

/**
 * Returns whether the player id must be free. It must be if the input restores a Removed member, or if it changes the
 * player id (unless the member is Removed both before and after).
 */
function needsPlayer(known: KnownMembership | null, { playerId, status }: MemberInput): boolean {
  const wasMember = known !== null && known.status !== 'Removed';
  const isMember = (status ?? known?.status) !== 'Removed';
  if (playerId !== undefined && playerId !== known?.player_id) return wasMember || isMember;
  return isMember && !wasMember;
}

/**
 * Runs work, and converts a violation of the player constraint that `requireFreePlayer` missed to a Refusal. The
 * violation aborts the transaction.
 */
async function rejectingTakenPlayer(
  { groupId }: MembershipPlace,
  input: MemberInput,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (violatedConstraint(error) !== 'membership_one_player') throw error;
    throw playerTaken(groupId, input);
  }
}
