import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listTransactionEventsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';

export function SentEvents({ transactionId }: { transactionId: string }) {
  const { publisherId, may } = usePublisher();
  const { data, error, refetch } = useQuery(
    listTransactionEventsOptions({ path: { publisherId, transactionId } }),
  );
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('Webhook events')}
      </Title>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data?.events.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('No events. Either no endpoint subscribed to them, or they have expired.')}
        </Text>
      )}
      {data?.events.map(({ eventId, kind, at, deliveries }) => (
        <Text key={eventId} size="sm">
          {may('webhooks') ? (
            <ScreenLink screen="webhooks" query={{ open: eventId }} isInText>
              {kind}
            </ScreenLink>
          ) : (
            kind
          )}{' '}
          · <When at={at} precision="second" />
          {deliveries.map(({ endpointId, status }) => ` · ${endpointId}: ${statusWord(status)}`)}
        </Text>
      ))}
    </Stack>
  );
}

/** Returns the word for a delivery's status, as on Webhooks. */
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
