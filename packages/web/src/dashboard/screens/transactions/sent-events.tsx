import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  listDeliveriesOptions,
  listEndpointsOptions,
  listTransactionEventsOptions,
} from '../../../client/@tanstack/react-query.gen.ts';
import type { TransactionEvent } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { kindName, stateOfDelivery } from '../webhooks/words.ts';

/** Maximum number of events whose deliveries one request reads, as on the server. */
const maxEvents = 50;

export function SentEvents({ transactionId }: { transactionId: string }) {
  const { publisherId, may } = usePublisher();
  const { data, error, refetch } = useQuery(
    listTransactionEventsOptions({ path: { publisherId, transactionId } }),
  );
  const events = data?.events ?? [];
  const deliveryText = useDeliveryTexts(events);
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('Webhook events')}
      </Title>
      {error !== null && (
        <ErrorNotice
          error={error}
          title={t('Couldn’t load the webhook events')}
          onRetry={() => void refetch()}
        />
      )}
      {data?.events.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('No events. No endpoint subscribed to them, or they have expired.')}
        </Text>
      )}
      {events.map((event) => (
        <Text key={event.eventId} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {may('webhooks') ? (
            <ScreenLink screen="webhooks" query={{ open: event.eventId }} isInText>
              {kindName(event.kind)}
            </ScreenLink>
          ) : (
            kindName(event.kind)
          )}{' '}
          · <When at={event.at} precision="second" />
          {event.deliveries.map((delivery) => ` · ${deliveryText(event.eventId, delivery)}`)}
        </Text>
      ))}
    </Stack>
  );
}

type Delivery = TransactionEvent['deliveries'][number];

/**
 * Returns a function that describes a delivery by its endpoint's URL and its state, as Webhooks does. Both need the
 * permission for webhooks. Without it, or for a removed endpoint, the event has only the endpoint's id.
 */
function useDeliveryTexts(events: readonly TransactionEvent[]) {
  const { publisherId, may } = usePublisher();
  const path = { publisherId };
  const enabled = may('webhooks') && events.some(({ deliveries }) => deliveries.length > 0);
  const endpoints = useQuery({ ...listEndpointsOptions({ path }), enabled }).data?.rows ?? [];
  const eventId = events.slice(0, maxEvents).map((event) => event.eventId);
  const found =
    useQuery({ ...listDeliveriesOptions({ path, query: { eventId, limit: 250 } }), enabled }).data?.rows ??
    [];
  return (eventId: string, { endpointId, status }: Delivery): string => {
    const url = endpoints.find((endpoint) => endpoint.endpointId === endpointId)?.url;
    const delivery = found.find((each) => each.eventId === eventId && each.endpointId === endpointId);
    return `${url ?? endpointId}: ${delivery === undefined ? statusWord(status) : stateOfDelivery(delivery).word}`;
  };
}

/** Returns the word for a delivery's status, without the details that show whether it is late. */
function statusWord(status: string): string {
  switch (status) {
    case 'Pending':
      return t('Waiting');
    case 'Delivered':
      return t('Delivered');
    default:
      return t('Failed');
  }
}
