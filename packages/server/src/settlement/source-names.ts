import type { Db } from '../platform/database/database.ts';
import { toScheduleId, toTierId } from '../platform/ids.ts';
import type { ShareRule } from '../revenue-shares/resolve-share.ts';
import type { Explanation } from './explain-shares.ts';

/** Source of a share: a tier or group with its current name, or a schedule with its window. */
export type NamedSource = { name: string } | { startsAt: Date; endsAt: Date };

/** Sources of shares, by id. Deleted sources are absent. */
export type SourceNames = ReadonlyMap<string, NamedSource>;

export async function readSourceNames(
  db: Db,
  publisherId: string,
  explanations: readonly Explanation[],
): Promise<SourceNames> {
  const offers = explanations.flatMap((each) => each.offers);
  const sourcesOf = (...rules: ShareRule[]): string[] => [
    ...new Set(
      offers.flatMap(({ rule, offer }) =>
        offer !== null && offer.source !== null && rules.includes(rule) ? [offer.source] : [],
      ),
    ),
  ];
  const names = new Map<string, NamedSource>();
  const tiers = sourcesOf('tier');
  if (tiers.length > 0)
    for (const { tier_id, name } of await db
      .selectFrom('tier')
      .select(['tier_id', 'name'])
      .where('publisher_id', '=', publisherId)
      .where('tier_id', 'in', tiers.map(toTierId))
      .execute())
      names.set(tier_id, { name });
  const groups = sourcesOf('group');
  if (groups.length > 0)
    for (const { group_id, name } of await db
      .selectFrom('creator_group')
      .select(['group_id', 'name'])
      .where('publisher_id', '=', publisherId)
      .where('group_id', 'in', groups)
      .execute())
      names.set(group_id, { name });
  const schedules = sourcesOf('scheduled-tier', 'scheduled-group');
  if (schedules.length > 0)
    for (const { schedule_id, starts_at, ends_at } of await db
      .selectFrom('scheduled_share')
      .select(['schedule_id', 'starts_at', 'ends_at'])
      .where('publisher_id', '=', publisherId)
      .where('schedule_id', 'in', schedules.map(toScheduleId))
      .execute())
      names.set(schedule_id, { startsAt: starts_at, endsAt: ends_at });
  return names;
}
