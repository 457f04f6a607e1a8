import { queryOptions } from '@tanstack/react-query';
import { simulateShareSchedule } from '../../../client/sdk.gen.ts';
import type { SimulateShareScheduleData } from '../../../client/types.gen.ts';

/** Query for a schedule's simulated cost. Canceled once its result is no longer needed. */
export const simulateShareScheduleOptions = (
  publisherId: string,
  body: SimulateShareScheduleData['body'] | null,
) =>
  queryOptions({
    queryKey: [{ _id: 'simulateShareSchedule', publisherId, body }],
    queryFn: async ({ signal }) => {
      if (body === null) throw new Error('nothing to simulate yet');
      const { data } = await simulateShareSchedule({
        path: { publisherId },
        body,
        signal,
        throwOnError: true,
      });
      return data;
    },
    staleTime: 60_000,
  });
