/** The rules that may decide a row's share, most specific first (D21). */
export const shareRules = ['sent', 'sku', 'scheduled-tier', 'scheduled-group', 'tier', 'group'] as const;
export type ShareRule = (typeof shareRules)[number];

/** What each rule offers a row, in millionths; null where it says nothing. The group always has a default. */
export type Offers = Readonly<Record<Exclude<ShareRule, 'group'>, number | null>> & {
  readonly group: number;
};

export interface DecidedShare {
  rule: ShareRule;
  shareMillionths: number;
}

/** The share of the first rule that offers one. Nothing else puts the rules in order. */
export function resolveShare(offers: Offers): DecidedShare {
  for (const rule of shareRules) {
    const shareMillionths = offers[rule];
    if (shareMillionths !== null) return { rule, shareMillionths };
  }
  throw new Error('the group offers no default share');
}

/** What a row's rules read, as the row keeps it. */
export interface ShareSources {
  skuId: string | null;
  scheduleId: string | null;
  tierId: string | null;
  groupId: string;
}

/** The id of what a rule read; a percent that was sent has none. */
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
