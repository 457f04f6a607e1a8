import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { Me } from '../../client/types.gen.ts';
import { nowMs as readNowMs } from '../../ui/clock.ts';
import { fetchMe } from './fetch-me.ts';

/** Who is signed in, and where. It is asked again when the window is looked at, because roles change. */
export const meOptions = queryOptions({
  queryKey: ['me'],
  queryFn: fetchMe,
  staleTime: 60_000,
  retry: false,
});

export const useMe = (): Me => useSuspenseQuery(meOptions).data;

type StaffOf = Me['publishers'][number];

export interface Here extends StaffOf {
  /** Whether the role has a permission of `accounts/roles.ts`. */
  may(permission: string): boolean;
  /** Now, by the publisher's clock, which in a sandbox is ahead: for what is drawn and proposed. */
  nowMs(): number;
}

/** The publisher of this page, and what one may do there. Only below `/p/$publisherId`. */
export function usePublisher(): Here {
  const { publishers } = useMe();
  const { publisherId } = useParams({ strict: false }) as { publisherId?: string };
  const found = publishers.find((each) => each.publisherId === publisherId);
  if (found === undefined) throw new Error(`not of the staff of ${publisherId}`);
  const may = useCallback((permission: string) => found.permissions.includes(permission), [found]);
  const nowMs = useCallback(() => readNowMs() + found.clockAheadMs, [found]);
  return useMemo(() => ({ ...found, may, nowMs }), [found, may, nowMs]);
}
