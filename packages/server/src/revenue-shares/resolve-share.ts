/** The rules that may decide a row's share, most specific first (D21). */
export const shareRules = ['sent', 'sku', 'scheduled-tier', 'scheduled-group', 'tier', 'group'] as const;
export type ShareRule = (typeof shareRules)[number];

/** A share that one rule offers, and the id of what it was read from. */
export interface Offer {
  shareMillionths: number;
  source: string | null;
}

/** What each rule says of a row; null where it says nothing. The group always has a default. */
export type Offers = Readonly<Record<Exclude<ShareRule, 'group'>, Offer | null>> & { readonly group: Offer };

export interface DecidedShare extends Offer {
  rule: ShareRule;
}

/** The share of the first rule that offers one. The same as the set-based rule in settle-rows.ts. */
export function resolveShare(offers: Offers): DecidedShare {
  for (const rule of shareRules) {
    const offer = offers[rule];
    if (offer !== null) return { rule, ...offer };
  }
  throw new Error('the group offers no default share');
}
