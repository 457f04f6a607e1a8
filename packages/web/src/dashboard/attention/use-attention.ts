import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getAttentionOptions } from '../../client/@tanstack/react-query.gen.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { usePublisher } from '../session/session.ts';

/** Loads the items that need attention, and reloads them every 30 seconds. */
export function useAttention() {
  const { publisherId } = usePublisher();
  const { group } = useUrlState().query;
  return useQuery({
    ...getAttentionOptions({ path: { publisherId }, query: { group } }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
}
