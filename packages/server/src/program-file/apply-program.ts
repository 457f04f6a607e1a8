import type { KeyKind } from '../api-keys/key-format.ts';
import { putKey } from '../api-keys/put-key.ts';
import type { Actor } from '../audit/actor.ts';
import { batchEntries } from '../audit/record-change.ts';
import { lockForBounties } from '../bounties/define/lock-for-bounties.ts';
import { putBounties } from '../bounties/define/put-bounty.ts';
import { putConnector } from '../connectors/put-connector.ts';
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
  /** Full key, which is shown only once. */
  key: string;
}

export interface AppliedProgram {
  publisher: string;
  groups: number;
  members: number;
  /** Accounts that didn't change, because creators have claimed them. */
  claimed: string[];
  keys: IssuedKey[];
}

/**
 * Applies a program file in one transaction. Applying the file again has no effect.
 * @returns the number of entries of each kind in the file, and the new keys
 * @throws Refusal with the lines of all problems
 */
export function applyProgramFile(db: Db, actor: Actor, file: ProgramFile): Promise<AppliedProgram> {
  const { publisher, groups = [] } = file.program;
  return inTransaction(db, (tx) =>
    withLines(file, async () => {
      const bountiesByGroup = groups.map(({ id: groupId, bounties = [] }) => ({ groupId, bounties }));
      await lockForBounties(tx, publisher.id, bountiesByGroup);
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

interface ApplyContext {
  tx: ProgramTx;
  actor: Actor;
  publisherId: string;
  refusals: CollectedRefusals;
}

/**
 * Applies a program slice by slice, in dependency order, and collects refusals. For a program with bounties, the
 * caller must first call `lockForBounties`, unless other transactions can't see the publisher yet.
 */
export async function putProgram(tx: ProgramTx, actor: Actor, program: Program): Promise<Outcome> {
  const { publisher, groups = [] } = program;
  const refusals = new CollectedRefusals();
  const context = { tx, actor, publisherId: publisher.id, refusals };
  const isNew = !(await isPublisher(tx, publisher.id));
  if (isNew) await putSettings(context, publisher);
  const accepted: GroupEntry[] = [];
  for (const [index, group] of groups.entries()) {
    const entry = { group, path: ['groups', index] };
    // Skip the rest of a rejected group, which would only be rejected for the same reason.
    if (await putGroupWithShares(context, entry)) accepted.push(entry);
  }
  await refusals.at([], () => chooseDefaultGroup(tx, actor, { publisherId: publisher.id, groups }));
  // This runs before members change, because counting locks all members in a fixed order.
  for (const { group, path } of accepted)
    await refusals.at(path, () =>
      putBounties(tx, actor, { ...keyOf(context, group), bounties: group.bounties ?? [] }),
    );
  const claimed = new Set<string>();
  for (const { group, path } of accepted) {
    await refusals.at(path, () =>
      putSchedules(tx, actor, { ...keyOf(context, group), schedules: group.schedules ?? [] }),
    );
    for (const id of await putMembers(context, { group, path })) claimed.add(id);
  }
  const refused = groups.filter((group) => !accepted.some((entry) => entry.group === group));
  const keys = await putKeys(
    context,
    publisher,
    refused.map(({ id }) => id),
  );
  await putConnectors(
    context,
    publisher,
    refused.map(({ id }) => id),
  );
  // This runs late, because it locks the publisher's row, which other transactions may need.
  if (!isNew) await putSettings(context, publisher);
  refusals.throwAny();
  return { claimed: [...claimed], keys };
}

async function putSettings(
  { tx, actor, refusals }: ApplyContext,
  { id, name, forgetBuyersAfterDays, accent, codeLink, payoutsNeed }: Program['publisher'],
): Promise<void> {
  await refusals.at(['publisher'], () =>
    putPublisher(tx, actor, {
      id,
      ...(name !== undefined && { name }),
      ...(forgetBuyersAfterDays !== undefined && { forgetBuyersAfterDays }),
      ...(accent !== undefined && { accent }),
      ...(codeLink !== undefined && { codeLink }),
      ...(payoutsNeed !== undefined && { payoutsNeed }),
    }),
  );
}

interface GroupEntry {
  group: ProgramGroup;
  path: InputPath;
}

const keyOf = ({ publisherId }: ApplyContext, { id: groupId }: ProgramGroup) => ({ publisherId, groupId });

/** @returns false if the group itself was rejected */
async function putGroupWithShares(context: ApplyContext, { group, path }: GroupEntry): Promise<boolean> {
  const { tx, actor, publisherId, refusals } = context;
  const isPut = await refusals.at(path, () => putGroup(tx, actor, { publisherId, ...group }));
  if (isPut === undefined) return false;
  for (const [index, tier] of (group.tiers ?? []).entries())
    await refusals.at([...path, 'tiers', index], () =>
      putTier(tx, actor, { ...keyOf(context, group), ...tier }),
    );
  for (const [index, share] of (group.skuRevShares ?? []).entries())
    await refusals.at([...path, 'skuRevShares', index], () =>
      putSkuShare(tx, actor, { ...keyOf(context, group), ...share }),
    );
  return true;
}

/** @returns the accounts that didn't change, because creators have claimed them */
async function putMembers(context: ApplyContext, { group, path }: GroupEntry): Promise<string[]> {
  const { tx, actor, refusals } = context;
  const claimed: string[] = [];
  for (const [index, member] of (group.members ?? []).entries()) {
    const put = await refusals.at([...path, 'members', index], () =>
      putMember(tx, actor, { ...keyOf(context, group), ...withReason(member) }),
    );
    if (put?.isClaimed) claimed.push(member.id);
  }
  return claimed;
}

const withReason = (member: MemberInput): MemberInput => ({
  ...member,
  ...(member.status !== undefined &&
    member.removalReason === undefined && { removalReason: `${member.status} in the program file` }),
});

async function putConnectors(
  { tx, actor, publisherId, refusals }: ApplyContext,
  { connectors = [] }: Program['publisher'],
  refusedGroups: readonly string[],
): Promise<void> {
  for (const [index, input] of connectors.entries())
    if (input.group === undefined || !refusedGroups.includes(input.group))
      await refusals.at(['publisher', 'connectors', index], () =>
        putConnector(tx, actor, { publisherId, ...input }),
      );
}

async function putKeys(
  { tx, actor, publisherId, refusals }: ApplyContext,
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
