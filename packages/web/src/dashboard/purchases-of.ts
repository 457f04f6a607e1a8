/** Statuses of the purchases that sums include: all except Test. */
export const countedStatuses = 'normal,refund,fraud,chargeback';
/** Statuses of the purchases whose share was reversed. */
export const reversedStatuses = 'refund,fraud,chargeback';

const maxDaysOfCurrency = 7;

interface PurchasesOf {
  group: string | undefined;
  /** UTC day, such as `2026-07-01`. */
  from: string;
  /** UTC day after the last day; undefined if there is no end. */
  until?: string;
  status: string;
  creator?: string;
  currency: string;
  /** True if no other currency has purchases in this range. */
  isOnlyCurrency: boolean;
}

/**
 * Returns the filters for the purchases of a sum. The list filters by currency only for a few days, so the purchases of a
 * longer range can be listed only if all of them have the same currency.
 * @returns null if no filters list exactly these purchases
 */
export function purchasesOf({ from, until, currency, isOnlyCurrency, ...rest }: PurchasesOf) {
  const days =
    until === undefined ? Number.POSITIVE_INFINITY : (Date.parse(until) - Date.parse(from)) / 86_400_000;
  if (days > maxDaysOfCurrency && !isOnlyCurrency) return null;
  return {
    ...rest,
    from: `${from}T00:00:00Z`,
    ...(until !== undefined && { until: `${until}T00:00:00Z` }),
    ...(days <= maxDaysOfCurrency && { currency }),
  };
}
