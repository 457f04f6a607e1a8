import { useQuery } from '@tanstack/react-query';
import { countLinesWithoutFile } from '../../../client/sdk.gen.ts';
import type { Payout, PayoutWithoutFile } from '../../../client/types.gen.ts';
import { usePublisher } from '../../session/session.ts';

/** Payouts per request, because their ids are in the URL. */
const payoutsPerRequest = 100;

/** Loads which lines of payouts are in no payment file and have no result, for payouts with such lines. */
export function useWithoutFile(payouts: readonly Payout[]) {
  const { publisherId } = usePublisher();
  const ids = payouts.map(({ payoutId }) => payoutId);
  return useQuery({
    queryKey: ['payouts without file', publisherId, ids],
    queryFn: async ({ signal }) => {
      const found: PayoutWithoutFile[] = [];
      for (let from = 0; from < ids.length; from += payoutsPerRequest) {
        const { data } = await countLinesWithoutFile({
          path: { publisherId },
          query: { payouts: ids.slice(from, from + payoutsPerRequest).join(',') },
          signal,
          throwOnError: true,
        });
        found.push(...data.payouts);
      }
      return found;
    },
    staleTime: 0,
  });
}
