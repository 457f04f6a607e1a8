import { type Static, Type } from 'typebox';
import { v7 as newUuid } from 'uuid';
import type { Actor } from '../../audit/actor.ts';
import { differences } from '../../audit/differences.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { TierId } from '../../platform/database/tables.generated.ts';
import { toTierId } from '../../platform/ids.ts';
import { closed, inputName, inputPercent } from '../../platform/inputs.ts';
import { millionthsToPercent, percentToMillionths, roundPercent } from '../../platform/percent.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type ProgramTx, programChanged } from '../../publishers/changing-program.ts';

export const tierInput = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'Unique id. If absent, an id is generated, and the name identifies the tier in later updates.',
      }),
    ),
    name: inputName,
    revShare: inputPercent('Percentage of the subtotal for the members of the tier.'),
  },
  closed,
);

export interface TierInput extends Static<typeof tierInput> {
  publisherId: string;
  groupId: string;
}

/**
 * Creates or changes a group's tier. A tier with an id can be renamed.
 * @returns true if anything changed
 * @throws Refusal Conflict if the id belongs to another group's tier, or if another tier in the group already has this
 * name
 */
export async function putTier(tx: ProgramTx, actor: Actor, input: TierInput): Promise<boolean> {
  const { publisherId, groupId, name } = input;
  const known = await findTier(tx, input);
  if (known !== null && known.groupId !== groupId)
    throw new Refusal('Conflict', `tier ${input.id} belongs to group ${known.groupId}`, { path: ['id'] });
  const tierId = known?.tierId ?? toTierId(input.id?.toLowerCase() ?? newUuid());
  const wanted = { name, revShare: roundPercent(input.revShare) };
  const change =
    known === null
      ? { before: null, after: { group: groupId, ...wanted } }
      : differences(known.terms, wanted);
  if (change === null) return false;
  await refuseSameName(tx, input, tierId);
  const values = { name, share_millionths: percentToMillionths(input.revShare) };
  if (known === null)
    await tx
      .insertInto('tier')
      .values({ publisher_id: publisherId, tier_id: tierId, group_id: groupId, ...values })
      .execute();
  else
    await tx
      .updateTable('tier')
      .set(values)
      .where('publisher_id', '=', publisherId)
      .where('tier_id', '=', tierId)
      .execute();
  programChanged(tx, publisherId);
  await recordChange(tx, actor, {
    publisherId,
    action: 'tier.put',
    target: `tier:${tierId}`,
    ...change,
  });
  return true;
}

interface KnownTier {
  tierId: TierId;
  groupId: string;
  terms: { name: string; revShare: number };
}

/** Finds a tier by its id or, if the input has no id, by its name in the group. */
async function findTier(
  tx: ProgramTx,
  { publisherId, groupId, id, name }: TierInput,
): Promise<KnownTier | null> {
  const row = await tx
    .selectFrom('tier')
    .select(['tier_id', 'group_id', 'name', 'share_millionths'])
    .where('publisher_id', '=', publisherId)
    .where((eb) =>
      id === undefined
        ? eb.and([eb('group_id', '=', groupId), eb('name', '=', name)])
        : eb('tier_id', '=', toTierId(id)),
    )
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    tierId: row.tier_id,
    groupId: row.group_id,
    terms: { name: row.name, revShare: millionthsToPercent(row.share_millionths) },
  };
}

async function refuseSameName(
  tx: ProgramTx,
  { publisherId, groupId, name }: TierInput,
  tierId: TierId,
): Promise<void> {
  const other = await tx
    .selectFrom('tier')
    .select('tier_id')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('name', '=', name)
    .where('tier_id', '<>', tierId)
    .executeTakeFirst();
  if (other === undefined) return;
  throw new Refusal('Conflict', `group ${groupId} has another tier named ${name} (${other.tier_id})`, {
    path: ['name'],
  });
}
