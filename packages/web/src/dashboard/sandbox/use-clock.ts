import { useMutation, useQueryClient } from '@tanstack/react-query';
import { advanceClockMutation } from '../../client/@tanstack/react-query.gen.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { meOptions, usePublisher } from '../session/session.ts';

export const dayMs = 86_400_000;

/** Returns a function that advances the page's sandbox clock and then reloads everything. */
export function useAdvance() {
  const { publisherId, clockAheadMs } = usePublisher();
  const queryClient = useQueryClient();
  const { setQuery } = useUrlState();
  const { mutateAsync, isPending } = useMutation(advanceClockMutation());
  const advance = async (toMs: number): Promise<void> => {
    try {
      await mutateAsync({
        path: { publisherId },
        body: { to: new Date(toMs).toISOString(), aheadMs: clockAheadMs },
      });
    } finally {
      // Reloads even after a failure, because the banner shows the clock's time, and someone else may have
      // advanced the clock.
      await queryClient.fetchQuery({ ...meOptions, staleTime: 0 });
    }
    // Payouts with an earlier cutoff can no longer be previewed.
    setQuery({ asOf: null, cursor: null }, 'replace');
    await queryClient.invalidateQueries();
  };
  return { advance, isPending };
}
