import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { CollectedRefusals } from '../../platform/collect-refusals.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { toAccountId } from '../../platform/ids.ts';
import { type ProgramTx, programChanged } from '../../publishers/changing-program.ts';
import { checkPlayerMetadata } from '../player-metadata.ts';
import { publishersOf } from '../read/publishers-of.ts';
import { choosePrimary } from './choose-primary.ts';
import { MemberChanges } from './member-changes.ts';
import type { CodeInput, MemberInput } from './member-input.ts';
import { putAccount } from './put-account.ts';
import { putCode } from './put-code.ts';
import { putIdentity } from './put-identity.ts';
import { putMembership, putStatus } from './put-membership.ts';
import { refuseTaken } from './refuse-taken.ts';

export interface PutMember extends MemberInput {
  publisherId: string;
  groupId: string;
}

export interface MemberOutcome {
  /**
   * Nothing was changed, for a creator claimed the account: what it was goes on under the creator's own account, and
   * saying the same again must not undo that.
   */
  isClaimed: boolean;
  /** The group had no such member. */
  isNew: boolean;
  isChanged: boolean;
}

/**
 * Makes a member of a group, or changes what is named of it: account, membership, codes and identities.
 * @throws Refusal with all of it that cannot be: Conflict for a player id, a code or an identity of another member, or
 *   an account of another publisher's; InvalidInput
 */
export async function putMember(tx: ProgramTx, actor: Actor, input: PutMember): Promise<MemberOutcome> {
  const { publisherId, groupId, codes = [], identities = [], playerMetadata } = input;
  const accountId = toAccountId(input.id);
  const refusals = new CollectedRefusals();
  if (playerMetadata !== undefined)
    await refusals.at(['playerMetadata'], async () => checkPlayerMetadata(playerMetadata));
  const changes = new MemberChanges();
  const account = await refusals.at([], () => putAccount(tx, { publisherId, accountId, input, changes }));
  if (account === undefined)
    return refuseTaken(tx, { publisherId, groupId, accountId: null, refusals }, input);
  const isOurs = account.whose === 'ours';
  if (account.whose === 'closed') {
    refusals.throwAny();
    return { isClaimed: true, isNew: false, isChanged: false };
  }
  const place = { publisherId, groupId, accountId, changes };
  const membership = await refusals.at([], () => putMembership(tx, place, input));
  if (membership === undefined)
    return refuseTaken(tx, { publisherId, groupId, accountId, refusals }, isOurs ? input : { id: input.id });
  const codesPlace = { ...place, membershipId: membership.membershipId };
  // Of an account that is not the publisher's it says nothing that is so everywhere.
  const isSaid = (code: CodeInput): boolean => isOurs || code.group !== undefined;
  for (const [index, code] of codes.entries())
    if (isSaid(code)) await refusals.at(['codes', index], () => putCode(tx, codesPlace, code));
  if (isOurs)
    for (const [index, identity] of identities.entries())
      await refusals.at(['identities', index], () => putIdentity(tx, place, identity));
  refusals.throwAny();
  await choosePrimary(tx, codesPlace, codes.filter(isSaid));
  // Last, because what the publisher is told of a new member names the code.
  await putStatus(tx, { ...codesPlace, isNew: membership.isNew, was: membership.status }, input);
  const { isNew } = membership;
  if (changes.isEmpty) return { isClaimed: false, isNew, isChanged: false };
  programChanged(tx, publisherId);
  // What is said of an account is so wherever else it is a member; one that is new is one nowhere else.
  if (changes.isOfAccount && !account.isNew)
    for (const each of await publishersOf(tx, [accountId])) programChanged(tx, each);
  await recordPut(tx, actor, { ...place, isNew, reason: input.removalReason ?? null });
  return { isClaimed: false, isNew, isChanged: true };
}

interface Recorded {
  publisherId: string;
  groupId: string;
  accountId: AccountId;
  isNew: boolean;
  reason: string | null;
  changes: MemberChanges;
}

const recordPut = (
  tx: ProgramTx,
  actor: Actor,
  { publisherId, groupId, accountId, isNew, reason, changes }: Recorded,
): Promise<void> =>
  recordChange(tx, actor, {
    publisherId,
    action: 'member.put',
    target: `member:${accountId}`,
    before: isNew ? null : { group: groupId, ...changes.before },
    after: { group: groupId, ...changes.after },
    reason: changes.after.status === 'Removed' ? reason : null,
  });
