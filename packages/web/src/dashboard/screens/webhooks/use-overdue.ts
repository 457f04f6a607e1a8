import { useQuery } from '@tanstack/react-query';
import { listDeliveriesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { WebhookEndpoint } from '../../../client/types.gen.ts';
import { usePublisher } from '../../session/session.ts';
import { isOverdue } from './words.ts';

/** Returns whether one of the endpoint's latest waiting deliveries is overdue. */
export function useOverdue({ endpointId, isEnabled, isListener }: WebhookEndpoint): boolean {
  const { publisherId } = usePublisher();
  const { data } = useQuery({
    ...listDeliveriesOptions({ path: { publisherId }, query: { endpointId, state: 'Pending', limit: 50 } }),
    enabled: isEnabled && !isListener,
    refetchInterval: 15_000,
  });
  return isEnabled && (data?.rows.some(isOverdue) ?? false);
}
