import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { PlannedBounty } from './bounty-terms.ts';
import type { GroupKey } from './stored-bounties.ts';

/**
 * Saves a bounty without its prerequisites. Objectives and rewards that are no longer listed are marked as
 * removed.
 */
export async function writeBounty(
  tx: Tx,
  { publisherId, groupId }: GroupKey,
  bounty: PlannedBounty,
): Promise<void> {
  await sql`
    insert into bounty (publisher_id, bounty_id, group_id, name, description, image_src, reward_description, completion_limit,
                        starts_at, ends_at)
    values (${publisherId}, ${bounty.id}, ${groupId}, ${bounty.name}, ${bounty.description}, ${bounty.imageSrc},
            ${bounty.rewardDescription}, ${bounty.limit}, ${bounty.startsAt}, ${bounty.endsAt})
    on conflict (publisher_id, bounty_id) do update
      set name = excluded.name, description = excluded.description, image_src = excluded.image_src,
          reward_description = excluded.reward_description, completion_limit = excluded.completion_limit,
          starts_at = excluded.starts_at, ends_at = excluded.ends_at`.execute(tx);
  for (const [
    position,
    { id, name, type, condition, target, currency, eventCode, skus },
  ] of bounty.objectives.entries()) {
    await sql`
      insert into bounty_objective (publisher_id, objective_id, bounty_id, position, name, type, condition, target, currency,
                                    event_code, sku_ids, sku_names)
      values (${publisherId}, ${id}, ${bounty.id}, ${position}, ${name}, ${type}, ${condition}, ${target}, ${currency},
              ${eventCode}, ${skus.map((sku) => sku.id)}::text[], ${skus.map((sku) => sku.name)}::text[])
      on conflict (publisher_id, objective_id) do update
        set position = excluded.position, name = excluded.name, type = excluded.type, condition = excluded.condition,
            target = excluded.target, currency = excluded.currency, event_code = excluded.event_code,
            sku_ids = excluded.sku_ids, sku_names = excluded.sku_names, removed_at = null`.execute(tx);
  }
  for (const [
    position,
    { id, name, type, amountMinor, currency, sku, externalId },
  ] of bounty.rewards.entries()) {
    await sql`
      insert into bounty_reward (publisher_id, reward_id, bounty_id, position, name, type, amount_minor, currency, sku_id,
                                 sku_name, external_id)
      values (${publisherId}, ${id}, ${bounty.id}, ${position}, ${name}, ${type}, ${amountMinor}, ${currency},
              ${sku?.id ?? null}, ${sku?.name ?? null}, ${externalId})
      on conflict (publisher_id, reward_id) do update
        set position = excluded.position, name = excluded.name, type = excluded.type, amount_minor = excluded.amount_minor,
            currency = excluded.currency, sku_id = excluded.sku_id, sku_name = excluded.sku_name,
            external_id = excluded.external_id, removed_at = null`.execute(tx);
  }
  for (const [table, key, kept] of [
    ['bounty_objective', 'objective_id', bounty.objectives],
    ['bounty_reward', 'reward_id', bounty.rewards],
  ] as const) {
    await sql`
      update ${sql.table(table)}
      set removed_at = now()
      where publisher_id = ${publisherId} and bounty_id = ${bounty.id} and removed_at is null
        and ${sql.ref(key)} <> all(${kept.map(({ id }) => id)}::text[])`.execute(tx);
  }
}
