import type { KeyKind } from '../api-keys/key-format.ts';
import { putKey } from '../api-keys/put-key.ts';
import type { Actor } from '../audit/actor.ts';
import { recordingTogether } from '../audit/record-change.ts';
import { lockForBounties } from '../bounties/define/lock-for-bounties.ts';
import { putBounties } from '../bounties/define/put-bounty.ts';
import type { MemberInput } from '../members/member-input.ts';
import { putMember } from '../members/put-member.ts';
import { CollectedRefusals } from '../platform/collect-refusals.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { changingProgramme, type ProgrammeTx } from '../publishers/changing-programme.ts';
import { chooseDefaultGroup } from '../publishers/choose-default-group.ts';
import { putGroup } from '../publishers/put-group.ts';
import { putPublisher } from '../publishers/put-publisher.ts';
import { isPublisher } from '../publishers/require-publisher.ts';
import { putSkuShare } from '../revenue-shares/put-sku-share.ts';
import { putSchedules } from '../revenue-shares/schedules/put-schedules.ts';
import { putTier } from '../revenue-shares/tiers/put-tier.ts';
import { inLines } from './in-lines.ts';
import type { Program, ProgramGroup } from './program-schema.ts';
import type { ProgramFile } from './read-program.ts';

export interface CreatedKey {
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
  keys: CreatedKey[];
}

/**
 * Applies a program file in one commit; applied again it changes nothing.
 * @returns what it named, and the keys it made
 * @throws Refusal naming the lines of what cannot be
 */
export function applyProgramFile(db: Db, actor: Actor, file: ProgramFile): Promise<AppliedProgram> {
  const { publisher, groups = [] } = file.program;
  return inTransaction(db, (tx) =>
    inLines(file, async () => {
      const named = groups.map(({ id: groupId, bounties = [] }) => ({ groupId, bounties }));
      await lockForBounties(tx, publisher.id, named);
      const { claimed, keys } = await changingProgramme(tx, publisher.id, (tx) =>
        recordingTogether(tx, () => putProgram(tx, actor, file)),
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

/** One room after the other, each after those that it needs; what is refused is collected. */
async function putProgram(tx: ProgrammeTx, actor: Actor, file: ProgramFile): Promise<Outcome> {
  const { publisher, groups = [] } = file.program;
  const refusals = new CollectedRefusals();
  const putName = (): Promise<unknown> =>
    refusals.at(['publisher'], () => putPublisher(tx, actor, { id: publisher.id, ...named(publisher) }));
  const isNew = !(await isPublisher(tx, publisher.id));
  if (isNew) await putName();
  // What stands in a group that was refused would be refused for that alone.
  const standing: number[] = [];
  for (const [index, group] of groups.entries())
    if (await putGroupWithShares(tx, actor, { publisherId: publisher.id, group, index, refusals }))
      standing.push(index);
  await chooseDefaultGroup(tx, actor, { publisherId: publisher.id, groups });
  // Before members are changed: counting locks all of them in their order.
  for (const index of standing) {
    const { id: groupId = '', bounties = [] } = groups[index] ?? {};
    await refusals.at(['groups', index], () =>
      putBounties(tx, actor, { publisherId: publisher.id, groupId, bounties }),
    );
  }
  const claimed = new Set<string>();
  for (const index of standing) {
    const { id: groupId = '', schedules = [], members = [] } = groups[index] ?? {};
    await refusals.at(['groups', index], () =>
      putSchedules(tx, actor, { publisherId: publisher.id, groupId, schedules }),
    );
    for (const [memberIndex, member] of members.entries()) {
      const put = await refusals.at(['groups', index, 'members', memberIndex], () =>
        putMember(tx, actor, { publisherId: publisher.id, groupId, ...withReason(member) }),
      );
      if (put?.isClaimed) claimed.add(member.id);
    }
  }
  const keys = await putKeys(tx, actor, file.program, refusals);
  if (!isNew) await putName();
  refusals.throwAny();
  return { claimed: [...claimed], keys };
}

const named = ({ name }: { name?: string }): { name?: string } => (name === undefined ? {} : { name });

/** Why a member is removed, when the file does not say it. */
const withReason = (member: MemberInput): MemberInput => ({
  ...member,
  ...(member.status !== undefined &&
    member.removalReason === undefined && { removalReason: `${member.status} in the program file` }),
});

interface GroupPlace {
  publisherId: string;
  group: ProgramGroup;
  index: number;
  refusals: CollectedRefusals;
}

/** @returns whether the group stands: it was not refused itself */
async function putGroupWithShares(
  tx: ProgrammeTx,
  actor: Actor,
  { publisherId, group, index, refusals }: GroupPlace,
): Promise<boolean> {
  const path = ['groups', index];
  const isPut = await refusals.at(path, () => putGroup(tx, actor, { publisherId, ...group }));
  if (isPut === undefined) return false;
  const { id: groupId, tiers = [], skuRevShares = [] } = group;
  for (const [index, tier] of tiers.entries())
    await refusals.at([...path, 'tiers', index], () => putTier(tx, actor, { publisherId, groupId, ...tier }));
  for (const [index, share] of skuRevShares.entries())
    await refusals.at([...path, 'skuRevShares', index], () =>
      putSkuShare(tx, actor, { publisherId, groupId, ...share }),
    );
  return true;
}

async function putKeys(
  tx: ProgrammeTx,
  actor: Actor,
  { publisher: { id: publisherId, apiKeys = [] } }: Program,
  refusals: CollectedRefusals,
): Promise<CreatedKey[]> {
  const created: CreatedKey[] = [];
  for (const [index, input] of apiKeys.entries()) {
    const put = await refusals.at(['publisher', 'apiKeys', index], () =>
      putKey(tx, actor, { publisherId, ...input }),
    );
    const { name, kind, group } = input;
    if (put) created.push({ name, kind, ...(group !== undefined && { group }), key: put.key });
  }
  return created;
}
