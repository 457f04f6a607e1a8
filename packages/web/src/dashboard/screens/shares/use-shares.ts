import { useQuery } from '@tanstack/react-query';
import {
  listShareSchedulesOptions,
  listShareTiersOptions,
} from '../../../client/@tanstack/react-query.gen.ts';
import { usePage } from '../../../ui/use-page.ts';
import { usePublisher } from '../../session/session.ts';

/** As many tiers and schedules of a group as are drawn. */
export const drawn = 250;

export function useTiers(groupId: string) {
  const { publisherId } = usePublisher();
  return useQuery(listShareTiersOptions({ path: { publisherId }, query: { group: groupId, limit: drawn } }));
}

/** Those that end after a moment; the ones before stay in sight until they have come. */
export function useSchedules(groupId: string, from: string, cursor?: string | undefined) {
  const { publisherId } = usePublisher();
  const query = { group: groupId, limit: drawn, from, ...(cursor !== undefined && { cursor }) } as const;
  return usePage(listShareSchedulesOptions({ path: { publisherId }, query }));
}
