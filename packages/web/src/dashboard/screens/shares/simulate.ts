import { queryOptions } from '@tanstack/react-query';
import { simulateShareSchedule } from '../../../client/sdk.gen.ts';
import type { SimulateShareScheduleData } from '../../../client/types.gen.ts';

/** Asks what a schedule would have cost; a question that nobody waits for any more is broken off. */
export const simulateShareScheduleOptions = (
  publisherId: string,
  body: SimulateShareScheduleData['body'] | null,
) =>
  queryOptions({
    queryKey: [{ _id: 'simulateShareSchedule', publisherId, body }],
    queryFn: async ({ signal }) => {
      if (body === null) throw new Error('there is nothing to ask yet');
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
