import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Payout } from '../../../client/types.gen.ts';
import { toast } from '../../../ui/toast.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePublisher } from '../../session/session.ts';
import { createdWords } from './created-words.ts';

/**
 * Returns a function that shows a message about created payouts and opens them: a single payout's page, otherwise the
 * list.
 */
export function useCreated() {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (payouts: readonly Payout[]): Promise<void> => {
    toast(createdWords(payouts));
    const [only, ...others] = payouts;
    const to = only !== undefined && others.length === 0 ? only.payoutId : 'made';
    await navigate({
      to: `/p/$publisherId/payouts/${to}` as never,
      params: { publisherId } as never,
      search: (query.group === undefined ? {} : { group: query.group }) as never,
    });
    void queryClient.invalidateQueries();
  };
}
