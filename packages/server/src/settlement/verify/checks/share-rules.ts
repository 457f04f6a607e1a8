import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import { type Offers, resolveShare } from '../../../revenue-shares/resolve-share.ts';
import type { Finding } from './rules.ts';

/** Stored offers and result of a share decision. Many rows have the same ones. */
interface Decision {
  share_rule: string;
  share_millionths: number;
  sent: number | null;
  sku: number | null;
  scheduled_tier: number | null;
  scheduled_group: number | null;
  tier: number | null;
  group_share: number;
  row: string;
}

export const decisionColumns = sql`
  a.share_rule, a.share_millionths, a.sent_share_millionths, a.sku_share_millionths, a.scheduled_tier_share_millionths,
  a.scheduled_share_millionths, a.tier_share_millionths, a.group_share_millionths`;

/**
 * Recalculates the rows' shares with the same function that recording uses, once for each distinct set of offers.
 * @param rows a query of rows
 * @returns a row that should have a different rule or percentage; null if there is none
 */
export async function findWrongShare(tx: Tx, rows: RawBuilder<unknown>): Promise<Finding | null> {
  const { rows: decisions } = await sql<Decision>`
    select a.share_rule, a.share_millionths, a.sent_share_millionths as sent, a.sku_share_millionths as sku,
           a.scheduled_tier_share_millionths as scheduled_tier, a.scheduled_share_millionths as scheduled_group,
           a.tier_share_millionths as tier, a.group_share_millionths as group_share, min(a.attribution_id::text) as row
    from (${rows}) a
    group by ${decisionColumns}`.execute(tx);
  const wrong = decisions
    .filter((decision) => !isDecided(decision))
    .map(({ row }) => row)
    .sort();
  return wrong[0] === undefined ? null : { rule: 'share', row: `attribution ${wrong[0]}` };
}

function isDecided({ share_rule, share_millionths, ...offered }: Decision): boolean {
  const offers: Offers = {
    sent: offered.sent,
    sku: offered.sku,
    'scheduled-tier': offered.scheduled_tier,
    'scheduled-group': offered.scheduled_group,
    tier: offered.tier,
    group: offered.group_share,
  };
  const { rule, shareMillionths } = resolveShare(offers);
  return rule === share_rule && shareMillionths === share_millionths;
}
