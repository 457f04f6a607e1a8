import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';

/** `source`: a shop's connector or a back end's key, whichever is used first. */
export const firstSteps = [
  'group',
  'creator',
  'source',
  'purchase',
  'portal',
  'webhook',
  'colleague',
] as const;

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
           exists (select 1 from api_key where publisher_id = ${publisherId} and last_used_at is not null)
             or exists (select 1 from connector_event e where e.publisher_id = ${publisherId} and not e.is_sample)
             as source,
           exists (select 1 from connector_event e where e.publisher_id = ${publisherId} and e.is_sample) as sample,
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
  const facts = { ...found[0], purchase: hasPurchases };
  return { isWanted: true, hasPurchases, done: new Set(firstSteps.filter((step) => isDone(facts, step))) };
}

type Found = Record<Exclude<FirstStep, 'purchase'> | 'sample', boolean>;

/**
 * Counts a recorded purchase as use of a key, because `last_used_at` is saved up to a minute later. A connector's sample
 * also records a purchase, but doesn't prove that the shop is connected.
 */
const isDone = (found: Partial<Record<FirstStep | 'sample', boolean>>, step: FirstStep): boolean =>
  found[step] === true || (step === 'source' && found.purchase === true && found.sample !== true);
