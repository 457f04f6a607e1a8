import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { listEndpointsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { WebhookEndpoints } from '../../../client/types.gen.ts';
import { refresh } from '../../../ui/refresh.ts';
import { usePublisher } from '../../session/session.ts';

/** All endpoints of the publisher; asked for again now and then, because they fail by themselves. */
export function useEndpoints(): UseQueryResult<WebhookEndpoints, unknown> {
  const { publisherId } = usePublisher();
  return useQuery({ ...listEndpointsOptions({ path: { publisherId } }), refetchInterval: 15_000 }) as never;
}

/** After a change: everything about webhooks is asked for again. */
export function useAskAgain(): () => Promise<unknown> {
  const client = useQueryClient();
  return useCallback(
    () => refresh(client, 'listEndpoints', 'listDeliveries', 'getDelivery', 'countReplay'),
    [client],
  );
}
