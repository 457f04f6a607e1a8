import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type ProgramTx, programChanged } from '../../publishers/changing-program.ts';
import { putMember } from '../put/put-member.ts';
import { checkCode } from '../read/check-code.ts';
import { approveFound } from './approve-member.ts';
import { type MemberKey, requireMember } from './changing-member.ts';
import { eachOnItsOwn } from './each-on-its-own.ts';
import { checkReason, removeFound } from './remove-member.ts';

/** Member chosen by account or by a pasted code. */
export type ChosenMember = { group: { groupId: string; name: string } } & (
  | { memberId: AccountId }
  | { code: string }
);

export type CommonChange =
  | { kind: 'approve' }
  | { kind: 'remove'; reason: string }
  | { kind: 'tier'; tier: string | null };

export interface MemberOutcome {
  groupId: string;
  memberId: AccountId | null;
  /** Code as pasted; null for a member chosen by account. */
  code: string | null;
  outcome: 'done' | 'as before' | 'refused';
  /** Reason for the refusal; null for other outcomes. */
  message: string | null;
}

interface CommonChanges {
  publisherId: string;
  members: readonly ChosenMember[];
  change: CommonChange;
}

/** Maximum number of members per request. A request with a thousand members takes a few seconds. */
export const maxChosen = 1_000;

/**
 * Makes the same change to many members, and returns an outcome for each member. A refused change doesn't
 * affect the other members.
 * @throws Refusal InvalidInput for an invalid reason
 */
export async function changeMembers(
  db: Db,
  actor: Actor,
  { publisherId, members, change }: CommonChanges,
): Promise<MemberOutcome[]> {
  if (change.kind === 'remove') checkReason(change.reason);
  const found: (AccountId | null)[] = [];
  const outcomes = await eachOnItsOwn(
    db,
    { publisherId, entries: members.map((member, index) => ({ member, index })) },
    async (tx, { member, index }) => {
      const memberId = await memberOf(tx, publisherId, member);
      found[index] = memberId;
      return changeOne(tx, actor, { publisherId, groupId: member.group.groupId, memberId }, change);
    },
  );
  return outcomes.map((outcome, index) => {
    const { group, ...named } = members[index] as ChosenMember;
    return {
      groupId: group.groupId,
      memberId: found[index] ?? ('memberId' in named ? named.memberId : null),
      code: 'code' in named ? named.code : null,
      outcome: 'refused' in outcome ? 'refused' : outcome.done ? 'done' : 'as before',
      message: 'refused' in outcome ? outcome.refused.message : null,
    };
  });
}

/** @returns whether the member changed */
async function changeOne(
  tx: ProgramTx,
  actor: Actor,
  place: MemberKey,
  change: CommonChange,
): Promise<boolean> {
  const { publisherId, groupId, memberId } = place;
  const membershipId = await requireMember(tx, place);
  if (change.kind === 'tier')
    return (await putMember(tx, actor, { publisherId, groupId, id: memberId, tier: change.tier })).isChanged;
  const isChanged = await (change.kind === 'approve'
    ? approveFound(tx, actor, place, membershipId)
    : removeFound(tx, actor, { ...place, reason: change.reason }, membershipId));
  if (isChanged) programChanged(tx, publisherId);
  return isChanged;
}

/** @throws Refusal NotFound, with the failed check's message, for a code that no member of the group has */
async function memberOf(tx: ProgramTx, publisherId: string, member: ChosenMember): Promise<AccountId> {
  if ('memberId' in member) return member.memberId;
  const { group, code } = member;
  const { holders, checks } = await checkCode(tx, { publisherId, group }, code);
  const holder = holders.find(({ groupId }) => groupId === group.groupId);
  if (holder !== undefined) return holder.memberId;
  const failed = checks.find(({ verdict }) => verdict === 'failed');
  throw new Refusal('NotFound', failed?.says ?? `The code ${code} doesn't exist.`);
}
