import { sql } from 'kysely';
import type { KeyKind } from '../api-keys/key-format.ts';
import { createKey } from '../api-keys/manage-keys.ts';
import type { Actor } from '../audit/actor.ts';
import { recordingTogether } from '../audit/record-change.ts';
import { publishersOf } from '../members/publishers-of.ts';
import { CollectedRefusals } from '../platform/collect-refusals.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { toAccountId } from '../platform/ids.ts';
import { changingProgramme, type ProgrammeTx, programmeChanged } from '../publishers/changing-programme.ts';
import { chooseDefaultGroup } from '../publishers/choose-default-group.ts';
import { putGroup } from '../publishers/put-group.ts';
import { putPublisher } from '../publishers/put-publisher.ts';
import { isPublisher } from '../publishers/require-publisher.ts';
import { putSkuShare } from '../revenue-shares/put-sku-share.ts';
import { putSchedules } from '../revenue-shares/schedules/put-schedules.ts';
import { putTier } from '../revenue-shares/tiers/put-tier.ts';
import { applyBounties, lockForBounties } from './apply-bounties.ts';
import { applyMember } from './apply-member.ts';
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
      await lockForBounties(tx, file);
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
  for (const index of standing)
    await refusals.at(['groups', index, 'bounties'], () => applyBounties(tx, file, index));
  const claimed = new Set<string>();
  const accounts: AccountId[] = [];
  for (const groupIndex of standing) {
    const { id: groupId = '', schedules = [], members = [] } = groups[groupIndex] ?? {};
    await refusals.at(['groups', groupIndex], () =>
      putSchedules(tx, actor, { publisherId: publisher.id, groupId, schedules }),
    );
    for (const [memberIndex, { id }] of members.entries()) {
      const applied = await refusals.at(['groups', groupIndex, 'members', memberIndex], () =>
        applyMember(tx, file, groupIndex, memberIndex),
      );
      if (applied?.isClaimed) claimed.add(id);
      if (applied?.isAccountChanged) accounts.push(toAccountId(id));
      if (applied?.isChanged) programmeChanged(tx, publisher.id);
    }
  }
  const keys = await putKeys(tx, actor, file.program, refusals);
  // What the file says of an account is so wherever else the account is a member.
  for (const each of await publishersOf(tx, accounts)) programmeChanged(tx, each);
  if (!isNew) await putName();
  refusals.throwAny();
  return { claimed: [...claimed], keys };
}

const named = ({ name }: { name?: string }): { name?: string } => (name === undefined ? {} : { name });

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

/** A key is known by its name: one that was made before, revoked or not, is left alone. */
async function putKeys(
  tx: ProgrammeTx,
  _actor: Actor,
  { publisher: { id, apiKeys = [] } }: Program,
  refusals: CollectedRefusals,
): Promise<CreatedKey[]> {
  const created: CreatedKey[] = [];
  for (const [index, { name, kind, group, value }] of apiKeys.entries()) {
    await refusals.at(['publisher', 'apiKeys', index], async () => {
      const known =
        await sql`select from api_key where publisher_id = ${id} and name = ${name} limit 1`.execute(tx);
      if (known.rows.length > 0) return;
      const issued = await createKey(tx, id, {
        name,
        kind: kind as KeyKind,
        groupId: group ?? null,
        expiresAt: null,
        value,
      });
      created.push({ name, kind: kind as KeyKind, ...(group !== undefined && { group }), key: issued.key });
    });
  }
  return created;
}
