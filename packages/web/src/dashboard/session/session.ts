import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { Me } from '../../client/types.gen.ts';
import { nowMs as readNowMs } from '../../ui/clock.ts';
import { fetchMe } from './fetch-me.ts';

/**
 * Query for the signed-in person and their publishers. Reloads when the window receives focus, because roles
 * can change.
 */
export const meOptions = queryOptions({
  queryKey: ['me'],
  queryFn: fetchMe,
  staleTime: 60_000,
  retry: false,
});

export const useMe = (): Me => useSuspenseQuery(meOptions).data;

type StaffOf = Me['publishers'][number];

export interface Here extends StaffOf {
  /** Returns whether the role has a permission from `accounts/roles.ts`. */
  may(permission: string): boolean;
  /**
   * Returns the publisher's current time, for display and for defaults. A sandbox's clock is ahead of the
   * real time.
   */
  nowMs(): number;
}

/** Returns the page's publisher and the person's permissions there. Works only under `/p/$publisherId`. */
export function usePublisher(): Here {
  const { publishers } = useMe();
  const { publisherId } = useParams({ strict: false }) as { publisherId?: string };
  const found = publishers.find((each) => each.publisherId === publisherId);
  if (found === undefined) throw new Error(`not on the staff of ${publisherId}`);
  const may = useCallback((permission: string) => found.permissions.includes(permission), [found]);
  const nowMs = useCallback(() => readNowMs() + found.clockAheadMs, [found]);
  return useMemo(() => ({ ...found, may, nowMs }), [found, may, nowMs]);
}
