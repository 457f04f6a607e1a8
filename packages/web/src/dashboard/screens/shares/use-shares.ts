import { useQuery } from '@tanstack/react-query';
import {
  listShareSchedulesOptions,
  listShareTiersOptions,
} from '../../../client/@tanstack/react-query.gen.ts';
import { usePage } from '../../../ui/use-page.ts';
import { usePublisher } from '../../session/session.ts';

/** Maximum number of tiers, and of schedules, drawn for a group. */
export const maxDrawn = 250;

export function useTiers(groupId: string) {
  const { publisherId } = usePublisher();
  return useQuery(
    listShareTiersOptions({ path: { publisherId }, query: { group: groupId, limit: maxDrawn } }),
  );
}

/** Loads the schedules that end after a time. The previous schedules stay visible while the new ones load. */
export function useSchedules(groupId: string, from: string, cursor?: string | undefined) {
  const { publisherId } = usePublisher();
  const query = { group: groupId, limit: maxDrawn, from, ...(cursor !== undefined && { cursor }) } as const;
  return usePage(listShareSchedulesOptions({ path: { publisherId }, query }));
}
