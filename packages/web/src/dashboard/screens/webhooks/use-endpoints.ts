import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { listEndpointsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { WebhookEndpoints } from '../../../client/types.gen.ts';
import { refresh } from '../../../ui/refresh.ts';
import { usePublisher } from '../../session/session.ts';

/** Loads the publisher's endpoints, and reloads them every 15 seconds because they can start failing at any time. */
export function useEndpoints(): UseQueryResult<WebhookEndpoints, unknown> {
  const { publisherId } = usePublisher();
  return useQuery({ ...listEndpointsOptions({ path: { publisherId } }), refetchInterval: 15_000 }) as never;
}

export function useReloadWebhooks(): () => Promise<unknown> {
  const client = useQueryClient();
  return useCallback(
    () => refresh(client, 'listEndpoints', 'listDeliveries', 'getDelivery', 'countReplay'),
    [client],
  );
}
