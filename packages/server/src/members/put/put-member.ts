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
   * True if the input changed nothing because a creator has claimed the account. The account's history
   * continues under the creator's own account, and applying the same input again must not undo the claim.
   */
  isClaimed: boolean;
  /** True if the member is new to the group. */
  isNew: boolean;
  isChanged: boolean;
}

/**
 * Creates a member of a group, or updates the parts that the input specifies: account, membership, codes and
 * identities.
 * @throws Refusal with all problems in the input: Conflict if another member has the player id, a code or an identity,
 * or if another publisher owns the account; InvalidInput for invalid fields
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
  const isOurs = account.ownership === 'own';
  if (account.ownership === 'closed') {
    refusals.throwAny();
    return { isClaimed: true, isNew: false, isChanged: false };
  }
  const place = { publisherId, groupId, accountId, changes };
  const membership = await refusals.at([], () => putMembership(tx, place, input));
  if (membership === undefined)
    return refuseTaken(tx, { publisherId, groupId, accountId, refusals }, isOurs ? input : { id: input.id });
  const codeOwner = { ...place, membershipId: membership.membershipId };
  // Global codes of another owner's account can't be changed here.
  const canPut = (code: CodeInput): boolean => isOurs || code.group !== undefined;
  for (const [index, code] of codes.entries())
    if (canPut(code)) await refusals.at(['codes', index], () => putCode(tx, codeOwner, code));
  if (isOurs)
    for (const [index, identity] of identities.entries())
      await refusals.at(['identities', index], () => putIdentity(tx, place, identity));
  refusals.throwAny();
  await choosePrimary(tx, codeOwner, codes.filter(canPut));
  // Runs last, because the event about a new member contains its code.
  await putStatus(tx, { ...codeOwner, isNew: membership.isNew, previous: membership.status }, input);
  const { isNew } = membership;
  if (changes.isEmpty) return { isClaimed: false, isNew, isChanged: false };
  programChanged(tx, publisherId);
  // Account fields apply to every publisher that the account is a member of. A new account has no other publishers.
  if (changes.changesAccount && !account.isNew)
    for (const each of await publishersOf(tx, [accountId])) programChanged(tx, each);
  await recordPut(tx, actor, { ...place, isNew, reason: input.removalReason ?? null });
  return { isClaimed: false, isNew, isChanged: true };
}

interface PutToRecord {
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
  { publisherId, groupId, accountId, isNew, reason, changes }: PutToRecord,
): Promise<void> =>
  recordChange(tx, actor, {
    publisherId,
    action: 'member.put',
    target: `member:${accountId}`,
    before: isNew ? null : { group: groupId, ...changes.before },
    after: { group: groupId, ...changes.after },
    reason: changes.after.status === 'Removed' ? reason : null,
  });
