import { type RawBuilder, sql } from 'kysely';
import { v7 as newUuid } from 'uuid';
import type { Tx } from '../platform/database/in-transaction.ts';
import { toTierId } from '../platform/ids.ts';
import { percentToMillionths } from '../platform/percent.ts';
import { settlingTime } from '../settlement/settlement-lock.ts';
import { differs } from './differs.ts';
import type { ProgramGroup } from './program-schema.ts';
import type { ProgramFile } from './read-program.ts';

/**
 * Makes or changes a group with its tiers and SKU shares; what the file does not name stays.
 * @returns whether anything is different now
 */
export async function applyGroup(tx: Tx, file: ProgramFile, index: number): Promise<boolean> {
  const { publisher, groups = [] } = file.program;
  const group = groups[index];
  if (group === undefined) throw new Error('no such group in the file');
  const namesTerms = group.holdDays !== undefined || group.payoutMinimums !== undefined;
  const exists = await tx
    .selectFrom('creator_group')
    .select('group_id')
    .where('publisher_id', '=', publisher.id)
    .where('group_id', '=', group.id)
    // A payout's moment is of before this change, or of after it, and the change says when it was.
    .$if(namesTerms, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  const named = {
    ...(group.name !== undefined && { name: group.name }),
    ...(group.revShare !== undefined && { share_millionths: percentToMillionths(group.revShare) }),
    ...(group.codeTTLInDays !== undefined && { code_ttl_days: group.codeTTLInDays }),
    ...(group.holdDays !== undefined && { hold_days: group.holdDays }),
    ...(group.payoutMinimums !== undefined && { payout_minimums: JSON.stringify(group.payoutMinimums) }),
    ...(group.disabledCurrencies !== undefined && {
      disabled_currencies: [...new Set(group.disabledCurrencies)],
    }),
  };
  const said: boolean[] = [];
  if (exists === undefined) {
    const { share_millionths } = named;
    if (share_millionths === undefined)
      throw file.errorAt(['groups', index], `the new group ${group.id} needs revShare`);
    await tx
      .insertInto('creator_group')
      .values({ publisher_id: publisher.id, group_id: group.id, name: group.id, ...named, share_millionths })
      .execute();
    said.push(true);
  } else if (Object.keys(named).length > 0) {
    const { numUpdatedRows } = await tx
      .updateTable('creator_group')
      .set({ ...named, ...(namesTerms && { terms_changed_at: termsChangedAt(group) }) })
      .where('publisher_id', '=', publisher.id)
      .where('group_id', '=', group.id)
      .where(differs('creator_group', named))
      .executeTakeFirst();
    said.push(numUpdatedRows > 0n);
  }
  for (const [tierIndex] of (group.tiers ?? []).entries())
    said.push(await applyTier(tx, file, index, tierIndex));
  for (const { skuId, revShare } of group.skuRevShares ?? []) {
    const { numAffectedRows = 0n } = await sql`
      insert into sku_share (publisher_id, group_id, sku_id, share_millionths)
      values (${publisher.id}, ${group.id}, ${skuId}, ${percentToMillionths(revShare)})
      on conflict (publisher_id, group_id, sku_id)
        do update set share_millionths = excluded.share_millionths
        where sku_share.share_millionths <> excluded.share_millionths`.execute(tx);
    said.push(numAffectedRows > 0n);
  }
  return said.includes(true);
}

/** When what a payout pays last changed; saying the same again changes nothing. */
function termsChangedAt({ holdDays, payoutMinimums }: ProgramGroup): RawBuilder<Date | null> {
  const minimums = payoutMinimums === undefined ? null : JSON.stringify(payoutMinimums);
  return sql`
    case when hold_days <> coalesce(${holdDays ?? null}::integer, hold_days)
           or payout_minimums <> coalesce(${minimums}::jsonb, payout_minimums)
         then ${settlingTime} else terms_changed_at end`;
}

/**
 * Exactly one group is the default: the one that says so, else the one that was, else the first.
 * @returns whether it is another one now
 */
export async function chooseDefaultGroup(
  tx: Tx,
  publisherId: string,
  groups: readonly ProgramGroup[],
): Promise<boolean> {
  const chosen = groups.find((group) => group.default === true)?.id ?? null;
  // Groups made by one file are of one moment: the file says which of them is first.
  const inFile = groups.map(({ id }) => id);
  const { rows } = await sql<{ group_id: string }>`
    select group_id
    from creator_group
    where publisher_id = ${publisherId}
    order by (group_id = ${chosen}) is true desc, is_default desc, created_at, array_position(${inFile}::text[], group_id)
    limit 1`.execute(tx);
  const groupId = rows[0]?.group_id;
  if (groupId === undefined) return false;
  let isChanged = false;
  // Two statements: the unique index on the default would refuse both at once.
  for (const isDefault of [false, true]) {
    const { numAffectedRows = 0n } = await sql`
      update creator_group
      set is_default = ${isDefault}
      where publisher_id = ${publisherId} and (group_id = ${groupId}) = ${isDefault} and is_default <> ${isDefault}`.execute(
      tx,
    );
    isChanged ||= numAffectedRows > 0n;
  }
  return isChanged;
}

async function applyTier(tx: Tx, file: ProgramFile, groupIndex: number, tierIndex: number): Promise<boolean> {
  const { publisher, groups = [] } = file.program;
  const group = groups[groupIndex];
  const tier = group?.tiers?.[tierIndex];
  if (group === undefined || tier === undefined) throw new Error('no such tier in the file');
  const path = ['groups', groupIndex, 'tiers', tierIndex];
  const namedId = tier.id === undefined ? undefined : toTierId(tier.id);
  const known = await tx
    .selectFrom('tier')
    .select(['tier_id', 'group_id'])
    .where('publisher_id', '=', publisher.id)
    .where((eb) =>
      namedId === undefined
        ? eb.and([eb('group_id', '=', group.id), eb('name', '=', tier.name)])
        : eb('tier_id', '=', namedId),
    )
    .executeTakeFirst();
  if (known !== undefined && known.group_id !== group.id) {
    throw file.errorAt([...path, 'id'], `the tier ${tier.id} belongs to group ${known.group_id}`);
  }
  const tierId = known?.tier_id ?? namedId ?? toTierId(newUuid());
  const sameName = await tx
    .selectFrom('tier')
    .select('tier_id')
    .where('publisher_id', '=', publisher.id)
    .where('group_id', '=', group.id)
    .where('name', '=', tier.name)
    .where('tier_id', '<>', tierId)
    .executeTakeFirst();
  if (sameName !== undefined) {
    throw file.errorAt(
      [...path, 'name'],
      `the group ${group.id} has another tier named ${tier.name} (${sameName.tier_id})`,
    );
  }
  const { numAffectedRows = 0n } = await sql`
    insert into tier (publisher_id, tier_id, group_id, name, share_millionths)
    values (${publisher.id}, ${tierId}::uuid, ${group.id}, ${tier.name}, ${percentToMillionths(tier.revShare)})
    on conflict (publisher_id, tier_id)
      do update set name = excluded.name, share_millionths = excluded.share_millionths
      where (tier.name, tier.share_millionths) is distinct from (excluded.name, excluded.share_millionths)`.execute(
    tx,
  );
  return numAffectedRows > 0n;
}
