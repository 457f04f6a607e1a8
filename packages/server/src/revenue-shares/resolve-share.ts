/** Rules that can determine a row's share, most specific first (D21). */
export const shareRules = ['sent', 'sku', 'scheduled-tier', 'scheduled-group', 'tier', 'group'] as const;
export type ShareRule = (typeof shareRules)[number];

/**
 * Share that each rule offers for a row, in millionths; null if the rule offers none. The group always offers
 * a default.
 */
export type Offers = Readonly<Record<Exclude<ShareRule, 'group'>, number | null>> & {
  readonly group: number;
};

export interface DecidedShare {
  rule: ShareRule;
  shareMillionths: number;
}

/** Returns the share of the first rule that offers one. Only `shareRules` defines the order. */
export function resolveShare(offers: Offers): DecidedShare {
  for (const rule of shareRules) {
    const shareMillionths = offers[rule];
    if (shareMillionths !== null) return { rule, shareMillionths };
  }
  throw new Error('the group offers no default share');
}

/** Ids of the definitions used by a row's rules, as stored in the row. */
export interface ShareSources {
  skuId: string | null;
  scheduleId: string | null;
  tierId: string | null;
  groupId: string;
}

/** Returns the id of the definition that a rule used; null for a share that was sent with the purchase. */
export function sourceOf(
  rule: ShareRule,
  { skuId, scheduleId, tierId, groupId }: ShareSources,
): string | null {
  switch (rule) {
    case 'sent':
      return null;
    case 'sku':
      return skuId;
    case 'scheduled-tier':
    case 'scheduled-group':
      return scheduleId;
    case 'tier':
      return tierId;
    case 'group':
      return groupId;
  }
}
