import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';

/** `purchase`: from a back end or a shop's connector, also as a Test purchase or a connector's sample. */
export const firstSteps = ['group', 'creator', 'purchase', 'portal', 'webhook', 'colleague'] as const;

export type FirstStep = (typeof firstSteps)[number];

interface FirstStepsQuery {
  publisherId: string;
  /** User who may have dismissed the list; null for an operator token. */
  userId: string | null;
  /** UTC day. A publisher with purchases before this day isn't new. */
  newSince: string;
}

export interface FirstSteps {
  /** False if the publisher isn't new or the user has dismissed the list. */
  isWanted: boolean;
  /** False if no purchase was ever recorded, not even a Test purchase. */
  hasPurchases: boolean;
  done: ReadonlySet<FirstStep>;
}

/**
 * Returns the first steps that a publisher has completed. Each check reads one index entry. The checks are
 * skipped for a publisher that isn't new.
 */
export async function readFirstSteps(
  db: Db,
  { publisherId, userId, newSince }: FirstStepsQuery,
): Promise<FirstSteps> {
  const { rows } = await sql<{ is_old: boolean; is_dismissed: boolean; has_purchases: boolean }>`
    select exists (select 1 from group_rollup g where g.publisher_id = ${publisherId} and g.day < ${newSince}::date) as is_old,
           exists (
             select 1
             from staff f
             where f.publisher_id = ${publisherId} and f.user_id = ${userId} and f.first_steps_dismissed_at is not null
           ) as is_dismissed,
           exists (select 1 from attribution a where a.publisher_id = ${publisherId}) as has_purchases`.execute(
    db,
  );
  const [state] = rows;
  const hasPurchases = state?.has_purchases ?? false;
  if (state === undefined || state.is_old || state.is_dismissed)
    return { isWanted: false, hasPurchases, done: new Set() };
  const { rows: found } = await sql<Found>`
    select exists (select 1 from creator_group g where g.publisher_id = ${publisherId}) as "group",
           exists (
             select 1
             from group_code g
             join membership m on m.publisher_id = ${publisherId} and m.membership_id = g.membership_id
             where g.publisher_id = ${publisherId} and g.is_approved and m.status = 'Approved'
           ) or exists (
             select 1
             from membership m
             join global_code c on c.account_id = m.account_id
             where m.publisher_id = ${publisherId} and c.is_approved and m.status = 'Approved'
           ) as creator,
           exists (
             select 1
             from membership m
             join portal_user_account u on u.account_id = m.account_id
             where m.publisher_id = ${publisherId}
           ) or exists (
             select 1
             from membership m
             join portal_invitation i on i.account_id = m.account_id and i.publisher_id = ${publisherId}
             where m.publisher_id = ${publisherId}
           ) as portal,
           exists (
             select 1 from webhook_delivery_end d where d.publisher_id = ${publisherId} and d.status = 'Delivered'
           ) as webhook,
           exists (
             select 1
             from staff_invitation
             where publisher_id = ${publisherId} and accepted_at is null and revoked_at is null
           )
             or (select count(*) from (select 1 from staff f where f.publisher_id = ${publisherId} limit 2) few) > 1
             as colleague`.execute(db);
  const facts: Partial<Record<FirstStep, boolean>> = { ...found[0], purchase: hasPurchases };
  return { isWanted: true, hasPurchases, done: new Set(firstSteps.filter((step) => facts[step] === true)) };
}

type Found = Record<Exclude<FirstStep, 'purchase'>, boolean>;
