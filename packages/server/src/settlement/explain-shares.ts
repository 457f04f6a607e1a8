import { type RawBuilder, sql } from 'kysely';
import { isPosted } from '../attributions/posted.ts';
import type { Db } from '../platform/database/database.ts';
import type { AttributionId, ScheduleId, TierId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import { type ShareRule, shareRules, sourceOf } from '../revenue-shares/resolve-share.ts';
import { exactShare } from '../revenue-shares/round-share.ts';

/** Share that a rule offers, with the id of the object that defines it (null for a percentage sent in the request). */
export interface Offer {
  shareMillionths: number;
  source: string | null;
}

/** Explanation of a row's share, as of the time it was recorded. */
export interface Explanation {
  attributionId: AttributionId;
  code: string;
  /** True if the purchase was sent without a code, and credited to the code that its player had entered. */
  usesPlayerCode: boolean;
  status: string;
  subtotalMinor: bigint;
  currency: string;
  /** All rules, most specific first, with the share each one offered; null if it offered none. */
  offers: readonly { rule: ShareRule; offer: Offer | null }[];
  /** Rule that applied. `exact` and `shareMinor` are the exact and rounded amounts in minor units. */
  decided: Offer & { rule: ShareRule; exact: string; shareMinor: bigint };
  state: 'posted' | 'waiting' | 'test';
  isReversed: boolean;
  /** Parts of the subtotal and of the share that were taken back. */
  refundedMinor: bigint;
  reversedMinor: bigint;
}

interface Row {
  attribution_id: AttributionId;
  code: string;
  uses_player_code: boolean;
  status: string;
  is_test: boolean;
  subtotal_minor: bigint;
  currency: string;
  group_id: string;
  sku_id: string | null;
  tier_id: TierId | null;
  schedule_id: ScheduleId | null;
  sent: number | null;
  sku: number | null;
  scheduled_tier: number | null;
  scheduled_group: number | null;
  tier: number | null;
  group_share: number;
  share_rule: ShareRule;
  share_millionths: number;
  share_minor: bigint;
  is_posted: boolean;
  is_reversed: boolean;
  refunded_minor: bigint;
  reversed_minor: bigint;
}

/**
 * Explains the share of each row in a purchase, using the offers stored with the row.
 * @throws Refusal when the publisher has no such purchase
 */
export async function explainShares(
  db: Db,
  publisherId: string,
  transactionId: string,
): Promise<Explanation[]> {
  const found = await read(db, publisherId, sql`a.transaction_id = ${transactionId}`);
  if (found.length === 0)
    throw new Refusal('NotFound', `Publisher ${publisherId} has no transaction ${transactionId}.`);
  return found;
}

/** Explains the share of one row; null if the publisher has no such row. */
export const explainRow = async (
  db: Db,
  publisherId: string,
  attributionId: AttributionId,
): Promise<Explanation | null> =>
  (await read(db, publisherId, sql`a.attribution_id = ${attributionId}::uuid`))[0] ?? null;

async function read(db: Db, publisherId: string, condition: RawBuilder<unknown>): Promise<Explanation[]> {
  const { rows } = await sql<Row>`
    select a.attribution_id, a.code, a.uses_player_code, a.status, a.is_test, a.subtotal_minor, a.currency, a.group_id, a.sku_id, a.tier_id,
           a.schedule_id, a.sent_share_millionths as sent, a.sku_share_millionths as sku,
           a.scheduled_tier_share_millionths as scheduled_tier, a.scheduled_share_millionths as scheduled_group,
           a.tier_share_millionths as tier, a.group_share_millionths as group_share,
           a.share_rule, a.share_millionths, a.share_minor,
           ${isPosted(publisherId, 'a')} as is_posted, p.reversed_at is not null as is_reversed,
           case when p.reversed_at is null then coalesce(p.refunded_minor, 0) else a.subtotal_minor end as refunded_minor,
           case when p.reversed_at is null then coalesce(p.reversed_minor, 0) else a.share_minor end as reversed_minor
    from attribution a
    left join payment p on p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
    where a.publisher_id = ${publisherId} and ${condition}
    order by a.attribution_id`.execute(db);
  return rows.map(explain);
}

function explain(row: Row): Explanation {
  const sources = {
    skuId: row.sku_id,
    scheduleId: row.schedule_id,
    tierId: row.tier_id,
    groupId: row.group_id,
  };
  const offered: Readonly<Record<ShareRule, number | null>> = {
    sent: row.sent,
    sku: row.sku,
    'scheduled-tier': row.scheduled_tier,
    'scheduled-group': row.scheduled_group,
    tier: row.tier,
    group: row.group_share,
  };
  const offer = (rule: ShareRule, shareMillionths: number): Offer => ({
    shareMillionths,
    source: sourceOf(rule, sources),
  });
  return {
    attributionId: row.attribution_id,
    code: row.code,
    usesPlayerCode: row.uses_player_code,
    status: row.status,
    subtotalMinor: row.subtotal_minor,
    currency: row.currency,
    offers: shareRules.map((rule) => {
      const shareMillionths = offered[rule];
      return { rule, offer: shareMillionths === null ? null : offer(rule, shareMillionths) };
    }),
    decided: {
      rule: row.share_rule,
      ...offer(row.share_rule, row.share_millionths),
      exact: exactShare(row.subtotal_minor, row.share_millionths),
      shareMinor: row.share_minor,
    },
    state: stateOf(row),
    isReversed: row.is_reversed,
    refundedMinor: row.refunded_minor,
    reversedMinor: row.reversed_minor,
  };
}

function stateOf({ is_test, is_posted }: Row): Explanation['state'] {
  if (is_test) return 'test';
  return is_posted ? 'posted' : 'waiting';
}
