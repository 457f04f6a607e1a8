import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reconcilePayoutMonthOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { ReadPayoutMonthResponse, ReconcilePayoutMonthResponse } from '../../../client/types.gen.ts';
import { usePublisher } from '../../session/session.ts';

/** Number of purchases in a month above which the comparison is loaded only on request, because it takes seconds. */
const maxAutomatic = 100_000;

export interface Comparison {
  asked: UseQueryResult<ReconcilePayoutMonthResponse, unknown>;
  /** False until the comparison of a large month is asked for. */
  isShown: boolean;
  ask(): void;
}

/**
 * Compares a month with its files.
 * @param month undefined until it is loaded
 */
export function useComparison(
  month: ReadPayoutMonthResponse | undefined,
  group: string | undefined,
): Comparison {
  const { publisherId } = usePublisher();
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const key = `${month?.month} ${group}`;
  const count = month?.sums.reduce((sum, { earnedCount }) => sum + earnedCount, 0) ?? 0;
  const isShown = month !== undefined && (askedFor === key || count <= maxAutomatic);
  const asked = useQuery({
    ...reconcilePayoutMonthOptions({ path: { publisherId }, query: { month: month?.month ?? '', group } }),
    enabled: isShown,
  });
  return { asked, isShown, ask: () => setAskedFor(key) };
}
