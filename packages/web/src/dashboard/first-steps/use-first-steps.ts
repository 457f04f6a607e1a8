import { useQuery } from '@tanstack/react-query';
import { getFirstStepsOptions } from '../../client/@tanstack/react-query.gen.ts';
import { usePublisher } from '../session/session.ts';

const pollMs = 5_000;

/**
 * Returns the first steps of the page's publisher, and whether it has any purchases. All callers share a single request,
 * which is repeated only while a publisher is new.
 */
export function useFirstSteps() {
  const { publisherId } = usePublisher();
  return useQuery({
    ...getFirstStepsOptions({ path: { publisherId } }),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (data.isWanted || !data.hasPurchases) ? pollMs : false,
    staleTime: ({ state: { data } }) =>
      data !== undefined && !data.isWanted && data.hasPurchases ? Number.POSITIVE_INFINITY : 0,
  });
}
