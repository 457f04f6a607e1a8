import { useMutation, useQueryClient } from '@tanstack/react-query';
import { advanceClockMutation } from '../../client/@tanstack/react-query.gen.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { meOptions, usePublisher } from '../session/session.ts';

export const dayMs = 86_400_000;

/** Moves the clock of the sandbox that the page is of; afterwards everything is asked anew. */
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
      // Of somebody else's move, too: what the clock says now stands in the banner.
      await queryClient.fetchQuery({ ...meOptions, staleTime: 0 });
    }
    // What a payout would have paid before is not to be had any more.
    setQuery({ asOf: null, cursor: null }, 'replace');
    await queryClient.invalidateQueries();
  };
  return { advance, isPending };
}
