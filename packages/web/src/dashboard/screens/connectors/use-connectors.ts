import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { listConnectorsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Connectors } from '../../../client/types.gen.ts';
import { refresh } from '../../../ui/refresh.ts';
import { usePublisher } from '../../session/session.ts';

/** Loads the publisher's connectors, and reloads them every 15 seconds because requests arrive at any time. */
export function useConnectors(): UseQueryResult<Connectors, unknown> {
  const { publisherId } = usePublisher();
  return useQuery({ ...listConnectorsOptions({ path: { publisherId } }), refetchInterval: 15_000 }) as never;
}

export function useReloadConnectors(): () => Promise<unknown> {
  const client = useQueryClient();
  return useCallback(
    () =>
      refresh(
        client,
        ...[
          'listConnectors',
          'listConnectorEvents',
          'getConnectorEvent',
          'checkConnector',
          'listMissingCodes',
        ],
      ),
    [client],
  );
}
