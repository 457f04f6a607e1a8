import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { toAccountId } from '../platform/ids.ts';
import { refusingAt } from '../platform/refusal.ts';
import { type ProgrammeTx, programmeChanged } from '../publishers/changing-programme.ts';
import { choosePrimary } from './choose-primary.ts';
import { MemberChanges } from './member-changes.ts';
import type { CodeInput, MemberInput } from './member-input.ts';
import { checkPlayerMetadata } from './player-metadata.ts';
import { publishersOf } from './publishers-of.ts';
import { putAccount } from './put-account.ts';
import { putCode } from './put-code.ts';
import { putIdentity } from './put-identity.ts';
import { giveStatus, putMembership } from './put-membership.ts';

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
  isChanged: boolean;
}

/**
 * Makes a member of a group, or changes what is named of it: account, membership, codes and identities.
 * @throws Refusal Conflict for a player id, a code or an identity of another member, or an account of another
 *   publisher's; InvalidInput
 */
export async function putMember(tx: ProgrammeTx, actor: Actor, input: PutMember): Promise<MemberOutcome> {
  const { publisherId, groupId, codes = [], identities = [], playerMetadata } = input;
  const accountId = toAccountId(input.id);
  if (playerMetadata !== undefined)
    await refusingAt(['playerMetadata'], async () => checkPlayerMetadata(playerMetadata));
  const changes = new MemberChanges();
  const account = await putAccount(tx, { publisherId, accountId, input, changes });
  if (account.whose === 'closed') return { isClaimed: true, isChanged: false };
  const place = { publisherId, groupId, accountId, changes };
  const membership = await putMembership(tx, place, input);
  const codesPlace = { ...place, membershipId: membership.membershipId };
  // Of an account that is not the publisher's it says nothing that is so everywhere.
  const isOurs = account.whose === 'ours';
  const isSaid = (code: CodeInput): boolean => isOurs || code.group !== undefined;
  for (const [index, code] of codes.entries())
    if (isSaid(code)) await refusingAt(['codes', index], () => putCode(tx, codesPlace, code));
  await choosePrimary(tx, codesPlace, codes.filter(isSaid));
  if (isOurs)
    for (const [index, identity] of identities.entries())
      await refusingAt(['identities', index], () => putIdentity(tx, place, identity));
  // Last, because what the publisher is told of a new member names the code.
  await giveStatus(tx, { ...codesPlace, isNew: membership.isNew, was: membership.status }, input);
  if (changes.isEmpty) return { isClaimed: false, isChanged: false };
  programmeChanged(tx, publisherId);
  // What is said of an account is so wherever else it is a member; one that is new is one nowhere else.
  if (changes.isOfAccount && !account.isNew)
    for (const each of await publishersOf(tx, [accountId])) programmeChanged(tx, each);
  await recordPut(tx, actor, { publisherId, groupId, accountId, isNew: membership.isNew, changes });
  return { isClaimed: false, isChanged: true };
}

interface Recorded {
  publisherId: string;
  groupId: string;
  accountId: AccountId;
  isNew: boolean;
  changes: MemberChanges;
}

const recordPut = (
  tx: ProgrammeTx,
  actor: Actor,
  { publisherId, groupId, accountId, isNew, changes }: Recorded,
): Promise<void> =>
  recordChange(tx, actor, {
    publisherId,
    action: 'member.put',
    target: `member:${accountId}`,
    before: isNew ? null : { group: groupId, ...changes.before },
    after: { group: groupId, ...changes.after },
  });
