import type { KeyKind } from '../api-keys/key-format.ts';
import { putKey } from '../api-keys/put-key.ts';
import type { Actor } from '../audit/actor.ts';
import { batchEntries } from '../audit/record-change.ts';
import { lockForBounties } from '../bounties/define/lock-for-bounties.ts';
import { putBounties } from '../bounties/define/put-bounty.ts';
import type { MemberInput } from '../members/put/member-input.ts';
import { putMember } from '../members/put/put-member.ts';
import { CollectedRefusals } from '../platform/collect-refusals.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import type { InputPath } from '../platform/refusal.ts';
import { changingProgram, type ProgramTx } from '../publishers/changing-program.ts';
import { chooseDefaultGroup } from '../publishers/choose-default-group.ts';
import { putGroup } from '../publishers/put-group.ts';
import { putPublisher } from '../publishers/put-publisher.ts';
import { isPublisher } from '../publishers/require-publisher.ts';
import { putSkuShare } from '../revenue-shares/put-sku-share.ts';
import { putSchedules } from '../revenue-shares/schedules/put-schedules.ts';
import { putTier } from '../revenue-shares/tiers/put-tier.ts';
import type { Program, ProgramGroup } from './program-schema.ts';
import type { ProgramFile } from './read-program.ts';
import { withLines } from './with-lines.ts';

export interface IssuedKey {
  name: string;
  kind: KeyKind;
  group?: string;
  /** The key itself, shown this once. */
  key: string;
}

export interface AppliedProgram {
  publisher: string;
  groups: number;
  members: number;
  /** Accounts left alone, because creators claimed them. */
  claimed: string[];
  keys: IssuedKey[];
}

/**
 * Applies a program file in one commit; applied again it changes nothing.
 * @returns what it named, and the keys it made
 * @throws Refusal naming the lines of what cannot be
 */
export function applyProgramFile(db: Db, actor: Actor, file: ProgramFile): Promise<AppliedProgram> {
  const { publisher, groups = [] } = file.program;
  return inTransaction(db, (tx) =>
    withLines(file, async () => {
      const named = groups.map(({ id: groupId, bounties = [] }) => ({ groupId, bounties }));
      await lockForBounties(tx, publisher.id, named);
      const { claimed, keys } = await changingProgram(tx, publisher.id, (tx) =>
        batchEntries(tx, () => putProgram(tx, actor, file.program)),
      );
      return {
        publisher: publisher.id,
        groups: groups.length,
        members: groups.reduce((count, group) => count + (group.members?.length ?? 0), 0),
        claimed: [...claimed],
        keys,
      };
    }),
  );
}

type Outcome = Pick<AppliedProgram, 'claimed' | 'keys'>;

/** What the parts of a file are put with. */
interface Applying {
  tx: ProgramTx;
  actor: Actor;
  publisherId: string;
  refusals: CollectedRefusals;
}

/**
 * One room after the other, each after those that it needs; what is refused is collected. Whoever puts bounties has called
 * `lockForBounties` before, save for a publisher that nobody else sees yet.
 */
export async function putProgram(tx: ProgramTx, actor: Actor, program: Program): Promise<Outcome> {
  const { publisher, groups = [] } = program;
  const refusals = new CollectedRefusals();
  const applying = { tx, actor, publisherId: publisher.id, refusals };
  const isNew = !(await isPublisher(tx, publisher.id));
  if (isNew) await putItself(applying, publisher);
  const standing: PlacedGroup[] = [];
  for (const [index, group] of groups.entries()) {
    const placed = { group, path: ['groups', index] };
    // What belongs to a group that was refused would be refused for that alone.
    if (await putGroupWithShares(applying, placed)) standing.push(placed);
  }
  await refusals.at([], () => chooseDefaultGroup(tx, actor, { publisherId: publisher.id, groups }));
  // Before members are changed: counting locks all of them in their order.
  for (const { group, path } of standing)
    await refusals.at(path, () =>
      putBounties(tx, actor, { ...keyOf(applying, group), bounties: group.bounties ?? [] }),
    );
  const claimed = new Set<string>();
  for (const { group, path } of standing) {
    await refusals.at(path, () =>
      putSchedules(tx, actor, { ...keyOf(applying, group), schedules: group.schedules ?? [] }),
    );
    for (const id of await putMembers(applying, { group, path })) claimed.add(id);
  }
  const refused = groups.filter((group) => !standing.some((placed) => placed.group === group));
  const keys = await putKeys(
    applying,
    publisher,
    refused.map(({ id }) => id),
  );
  // Late, because it locks the publisher's row, which others' changes may need.
  if (!isNew) await putItself(applying, publisher);
  refusals.throwAny();
  return { claimed: [...claimed], keys };
}

async function putItself(
  { tx, actor, refusals }: Applying,
  { id, name, forgetBuyersAfterDays }: Program['publisher'],
): Promise<void> {
  await refusals.at(['publisher'], () =>
    putPublisher(tx, actor, {
      id,
      ...(name !== undefined && { name }),
      ...(forgetBuyersAfterDays !== undefined && { forgetBuyersAfterDays }),
    }),
  );
}

interface PlacedGroup {
  group: ProgramGroup;
  path: InputPath;
}

const keyOf = ({ publisherId }: Applying, { id: groupId }: ProgramGroup) => ({ publisherId, groupId });

/** @returns whether the group stands: it was not refused itself */
async function putGroupWithShares(applying: Applying, { group, path }: PlacedGroup): Promise<boolean> {
  const { tx, actor, publisherId, refusals } = applying;
  const isPut = await refusals.at(path, () => putGroup(tx, actor, { publisherId, ...group }));
  if (isPut === undefined) return false;
  for (const [index, tier] of (group.tiers ?? []).entries())
    await refusals.at([...path, 'tiers', index], () =>
      putTier(tx, actor, { ...keyOf(applying, group), ...tier }),
    );
  for (const [index, share] of (group.skuRevShares ?? []).entries())
    await refusals.at([...path, 'skuRevShares', index], () =>
      putSkuShare(tx, actor, { ...keyOf(applying, group), ...share }),
    );
  return true;
}

/** @returns the accounts that were left alone, because creators claimed them */
async function putMembers(applying: Applying, { group, path }: PlacedGroup): Promise<string[]> {
  const { tx, actor, refusals } = applying;
  const claimed: string[] = [];
  for (const [index, member] of (group.members ?? []).entries()) {
    const put = await refusals.at([...path, 'members', index], () =>
      putMember(tx, actor, { ...keyOf(applying, group), ...withReason(member) }),
    );
    if (put?.isClaimed) claimed.push(member.id);
  }
  return claimed;
}

/** Why a member is removed, when the file does not say it. */
const withReason = (member: MemberInput): MemberInput => ({
  ...member,
  ...(member.status !== undefined &&
    member.removalReason === undefined && { removalReason: `${member.status} in the program file` }),
});

async function putKeys(
  { tx, actor, publisherId, refusals }: Applying,
  { apiKeys = [] }: Program['publisher'],
  refusedGroups: readonly string[],
): Promise<IssuedKey[]> {
  const created: IssuedKey[] = [];
  for (const [index, input] of apiKeys.entries()) {
    const { name, kind, group } = input;
    if (group !== undefined && refusedGroups.includes(group)) continue;
    const put = await refusals.at(['publisher', 'apiKeys', index], () =>
      putKey(tx, actor, { publisherId, ...input }),
    );
    if (put) created.push({ name, kind, ...(group !== undefined && { group }), key: put.key });
  }
  return created;
}
