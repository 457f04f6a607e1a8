import { Anchor, Divider, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { listDeliveriesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { FactsSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePublisher } from '../../session/session.ts';
import { DeliveryDetail } from './delivery-detail.tsx';
import { useEndpoints } from './use-endpoints.ts';

/** Opens an endpoint, or an event with all its deliveries, by the id that a search or another screen linked to. */
export function OpenedById() {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const { data } = useEndpoints();
  const { open } = query;
  if (open === undefined || data === undefined) return null;
  if (data.rows.some(({ endpointId }) => endpointId === open))
    return (
      <Navigate
        to={`/p/$publisherId/webhooks/${encodeURIComponent(open)}`}
        params={{ publisherId } as never}
        replace
      />
    );
  return (
    <DetailDrawer title={t('Webhook event')}>{(eventId) => <Deliveries eventId={eventId} />}</DetailDrawer>
  );
}

function Deliveries({ eventId }: { eventId: string }) {
  const { publisherId } = usePublisher();
  const endpoints = useEndpoints();
  const { data, error, refetch } = useQuery(
    listDeliveriesOptions({ path: { publisherId }, query: { eventId: [eventId] } }),
  );
  if (error !== null)
    return <ErrorNotice error={error} title={t('Couldn’t load the event')} onRetry={() => void refetch()} />;
  if (data === undefined) return <FactsSkeleton />;
  if (data.rows.length === 0)
    return (
      <Text>
        {t(
          'No deliveries of this event are stored. No endpoint subscribed to it, or it’s older than 30 days.',
        )}
      </Text>
    );
  return (
    <Stack>
      {data.rows.map(({ endpointId }, index) => (
        <Stack key={endpointId} gap="xs">
          {index > 0 && <Divider />}
          <Title order={3} size="h5">
            <Anchor
              renderRoot={(props) => (
                <Link
                  {...props}
                  to={`/p/$publisherId/webhooks/${encodeURIComponent(endpointId)}`}
                  params={{ publisherId } as never}
                  search={{ open: eventId } as never}
                />
              )}
              style={{ overflowWrap: 'anywhere' }}
            >
              {endpoints.data?.rows.find((each) => each.endpointId === endpointId)?.url ?? endpointId}
            </Anchor>
          </Title>
          <DeliveryDetail endpointId={endpointId} eventId={eventId} />
        </Stack>
      ))}
    </Stack>
  );
}
