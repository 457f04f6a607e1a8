import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type ProgramTx, programChanged } from '../../publishers/changing-program.ts';
import { putMember } from '../put/put-member.ts';
import { readManaged } from '../read/read-managed.ts';
import { putTag } from '../tags/put-tag.ts';
import { tagName } from '../tags/tag.ts';
import { approveFound } from './approve-member.ts';
import { type MemberKey, requireMember } from './changing-member.ts';
import { eachOnItsOwn } from './each-on-its-own.ts';
import { checkReason, removeFound } from './remove-member.ts';

interface ChosenMember {
  groupId: string;
  memberId: AccountId;
}

export type CommonChange =
  | { kind: 'approve' }
  | { kind: 'remove'; reason: string }
  | {
      kind: 'tier';
      tier: string | null;
      /** Tier that the members must still have; null for none. By default, any tier is replaced. */
      from?: string | null | undefined;
    }
  | { kind: 'tag'; tag: string; isTagged: boolean };

export interface MemberOutcome {
  groupId: string;
  memberId: AccountId;
  outcome: 'done' | 'as before' | 'refused';
  /** Reason the change was rejected; null for other outcomes. */
  message: string | null;
  /** Name of the previous tier, for a change of tier; null if there was none, and for other changes. */
  tierBefore: string | null;
}

interface CommonChanges {
  publisherId: string;
  members: readonly ChosenMember[];
  change: CommonChange;
}

/** Maximum number of members per request. A request with a thousand members takes a few seconds. */
export const maxChosen = 1_000;

/**
 * Makes the same change to many members and returns an outcome for each. A rejected change doesn't affect the other
 * members.
 * @throws Refusal InvalidInput for an invalid reason or tag
 */
export async function changeMembers(
  db: Db,
  actor: Actor,
  { publisherId, members, change }: CommonChanges,
): Promise<MemberOutcome[]> {
  if (change.kind === 'remove') checkReason(change.reason);
  if (change.kind === 'tag') tagName(change.tag);
  const outcomes = await eachOnItsOwn(db, { publisherId, entries: members }, (tx, member) =>
    changeOne(tx, actor, { publisherId, ...member }, change),
  );
  return outcomes.map((outcome, index) => ({
    ...(members[index] as ChosenMember),
    outcome: 'refused' in outcome ? 'refused' : outcome.done.isChanged ? 'done' : 'as before',
    message: 'refused' in outcome ? outcome.refused.message : null,
    tierBefore: 'refused' in outcome ? null : (outcome.done.tierBefore ?? null),
  }));
}

async function changeOne(
  tx: ProgramTx,
  actor: Actor,
  place: MemberKey,
  change: CommonChange,
): Promise<{ isChanged: boolean; tierBefore?: string | null }> {
  const { publisherId, memberId: accountId } = place;
  const membershipId = await requireMember(tx, place);
  if (change.kind === 'tier') return changeTier(tx, actor, place, change);
  if (change.kind === 'tag')
    return { isChanged: await putTag(tx, actor, { ...change, publisherId, accountId }) };
  const isChanged = await (change.kind === 'approve'
    ? approveFound(tx, actor, place, membershipId)
    : removeFound(tx, actor, { ...place, reason: change.reason }, membershipId));
  if (isChanged) programChanged(tx, publisherId);
  return { isChanged };
}

/** @throws Refusal Stale if the member no longer has the tier `from` */
async function changeTier(
  tx: ProgramTx,
  actor: Actor,
  place: MemberKey,
  { tier, from }: CommonChange & { kind: 'tier' },
): Promise<{ isChanged: boolean; tierBefore: string | null }> {
  const { name, tier: current } = await readManaged(tx, place);
  const tierBefore = current?.name ?? null;
  if (from !== undefined && from !== tierBefore && tier !== tierBefore)
    throw new Refusal('Stale', `${name} is now in ${tierBefore ?? 'no tier'}. Nothing was changed.`);
  const { publisherId, groupId, memberId: id } = place;
  const { isChanged } = await putMember(tx, actor, { publisherId, groupId, id, tier });
  return { isChanged, tierBefore };
}
