import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { AttributionId, ScheduleId, TierId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import {
  type Offer,
  type Offers,
  resolveShare,
  type ShareRule,
  shareRules,
} from '../revenue-shares/resolve-share.ts';
import { roundShare } from '../revenue-shares/round-share.ts';

/** Why a row's member gets what it gets. */
export interface Explanation {
  attributionId: AttributionId;
  code: string;
  status: string;
  subtotalMinor: bigint;
  currency: string;
  /** Every rule, most specific first, with what it says; null where it says nothing. */
  offers: readonly { rule: ShareRule; offer: Offer | null }[];
  /** The rule that decided, and the amount; as settled, or as it would be settled now. */
  decided: { rule: ShareRule; source: string | null; shareMillionths: number; shareMinor: bigint };
  state: 'settled' | 'waiting' | 'test';
  isReversed: boolean;
}

/**
 * Explains every row of a purchase. A settled row shows what settled it; schedules and offers shown beside
 * it are those of today.
 * @throws Refusal when the publisher has no such purchase
 */
export async function explainShares(
  db: Db,
  publisherId: string,
  transactionId: string,
): Promise<Explanation[]> {
  const { rows } = await sql<{
    attribution_id: AttributionId;
    code: string;
    status: string;
    is_test: boolean;
    subtotal_minor: bigint;
    currency: string;
    group_id: string;
    sku_id: string | null;
    tier_id: TierId | null;
    sent: number | null;
    sku: number | null;
    schedule_id: ScheduleId | null;
    scheduled_tier: number | null;
    scheduled_group: number | null;
    tier: number | null;
    group_share: number;
    share_rule: ShareRule | null;
    share_source: string | null;
    share_millionths: number | null;
    share_minor: bigint | null;
    is_reversed: boolean;
  }>`
    select a.attribution_id, a.code, a.status, a.is_test, a.subtotal_minor, a.currency, a.group_id, a.sku_id, a.tier_id,
           a.sent_share_millionths as sent, a.sku_share_millionths as sku, s.schedule_id,
           x.share_millionths as scheduled_tier, s.share_millionths as scheduled_group,
           a.tier_share_millionths as tier, a.group_share_millionths as group_share,
           p.share_rule, p.share_source, p.share_millionths, p.share_minor, p.reversed_at is not null as is_reversed
    from attribution a
    left join scheduled_share s
      on s.publisher_id = ${publisherId} and s.group_id = a.group_id and s.deleted_at is null
     and tstzrange(s.starts_at, s.ends_at) @> a.transaction_date
    left join scheduled_tier_share x
      on x.publisher_id = ${publisherId} and x.schedule_id = s.schedule_id and x.tier_id = a.tier_id
    left join payment p on p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
    where a.publisher_id = ${publisherId} and a.transaction_id = ${transactionId}
    order by a.attribution_id`.execute(db);
  if (rows.length === 0)
    throw new Refusal('NotFound', `Publisher ${publisherId} has no transaction ${transactionId}.`);
  return rows.map((row) => {
    const offer = (shareMillionths: number | null, source: string | null): Offer | null =>
      shareMillionths === null ? null : { shareMillionths, source };
    const offers: Offers = {
      sent: offer(row.sent, null),
      sku: offer(row.sku, row.sku_id),
      'scheduled-tier': offer(row.scheduled_tier, row.schedule_id),
      'scheduled-group': offer(row.scheduled_group, row.schedule_id),
      tier: offer(row.tier, row.tier_id),
      group: { shareMillionths: row.group_share, source: row.group_id },
    };
    const now = resolveShare(offers);
    const isSettled = row.share_rule !== null && row.share_millionths !== null && row.share_minor !== null;
    const decided = isSettled
      ? {
          rule: row.share_rule ?? now.rule,
          source: row.share_source,
          shareMillionths: row.share_millionths ?? 0,
          shareMinor: row.share_minor ?? 0n,
        }
      : { ...now, shareMinor: roundShare(row.subtotal_minor, now.shareMillionths) };
    return {
      attributionId: row.attribution_id,
      code: row.code,
      status: row.status,
      subtotalMinor: row.subtotal_minor,
      currency: row.currency,
      offers: shareRules.map((rule) => ({ rule, offer: offers[rule] })),
      decided,
      state: row.is_test ? ('test' as const) : isSettled ? ('settled' as const) : ('waiting' as const),
      isReversed: row.is_reversed,
    };
  });
}
