import { Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getDeliveryOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { replayDeliveries } from '../../../client/sdk.gen.ts';
import type { WebhookAttempt } from '../../../client/types.gen.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Disclosure } from '../../../ui/disclosure.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { FactsSkeleton } from '../../../ui/skeletons.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { useReloadWebhooks } from './use-endpoints.ts';
import { eventName, isDue, stateOfDelivery } from './words.ts';

interface DeliveryDetailProps {
  endpointId: string;
  eventId: string;
}

export function DeliveryDetail({ endpointId, eventId }: DeliveryDetailProps) {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery(
    getDeliveryOptions({ path: { publisherId, endpointId, eventId } }),
  );
  if (data === undefined)
    return error === null ? (
      <FactsSkeleton />
    ) : (
      <ErrorNotice
        error={error}
        title={t('Couldn’t load the delivery')}
        missing={t('Delivery not found')}
        onRetry={() => void refetch()}
      />
    );
  const { delivery, endpoint, attempts, body } = data;
  const { tone, word } = stateOfDelivery(delivery);
  return (
    <Stack>
      {error !== null && (
        <ErrorNotice error={error} title={t('Couldn’t load the delivery')} onRetry={() => void refetch()} />
      )}
      <Facts
        facts={[
          [t('Event'), eventName(delivery)],
          [
            t('eventId'),
            <Group key="id" gap={4} wrap="nowrap">
              <Code>{eventId}</Code>
              <CopyButton value={eventId} label={t('Copy eventId')} />
            </Group>,
          ],
          [
            t('Status'),
            <StatusBadge key="state" tone={tone}>
              {word}
            </StatusBadge>,
          ],
          [t('Event time'), <When key="at" at={delivery.createdAt} precision="second" />],
          [
            t('Next attempt'),
            isDue(delivery) ? t('now') : <When key="next" at={delivery.nextAttemptAt} precision="second" />,
          ],
        ]}
      />
      <Resend
        endpointId={endpointId}
        eventId={eventId}
        disabledReason={
          endpoint === null
            ? t('The endpoint was removed')
            : delivery.isTest
              ? t('Test events aren’t resent. Send another one with Send events')
              : endpoint.isEnabled
                ? undefined
                : t('The endpoint is off. Turn it on first')
        }
      />
      <Title order={3} size="h5">
        {t('{count, plural, =0 {No attempts yet} one {# attempt} other {# attempts}}', {
          count: attempts.length,
        })}
      </Title>
      {attempts.toReversed().map((attempt) => (
        <Attempt key={attempt.attemptNumber} attempt={attempt} />
      ))}
      <Group justify="space-between">
        <Title order={3} size="h5">
          {t('Request body')}
        </Title>
        <CopyButton value={body} label={t('Copy body')} />
      </Group>
      <Code block tabIndex={0}>
        {readable(body)}
      </Code>
    </Stack>
  );
}

function Resend({
  endpointId,
  eventId,
  disabledReason,
}: DeliveryDetailProps & { disabledReason: string | undefined }) {
  const { publisherId } = usePublisher();
  const reload = useReloadWebhooks();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await replayDeliveries({ path: { publisherId }, body: { endpointId, eventId }, throwOnError: true });
      toast(t('Resending event {eventId}', { eventId }));
      await reload();
    } catch (thrown) {
      setError(thrown);
    }
    setBusy(false);
  };
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        leftSection={<Icon name="refresh" size={16} />}
        loading={isBusy}
        disabled={disabledReason !== undefined}
        title={disabledReason}
        onClick={() => void send()}
      >
        {t('Resend')}
      </Button>
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t send it again')} />}
    </Stack>
  );
}

function Attempt({ attempt }: { attempt: WebhookAttempt }) {
  const { attemptNumber, startedAt, durationMs, statusCode, error, headers, answer } = attempt;
  const isDelivered = statusCode === 200;
  return (
    <Paper withBorder p="sm" component="section" aria-label={t('Attempt {n}', { n: attemptNumber })}>
      <Stack gap="xs">
        <Group gap="xs">
          <StatusBadge tone={isDelivered ? 'good' : 'bad'}>
            {statusCode === null ? t('No response') : t('status {code}', { code: String(statusCode) })}
          </StatusBadge>
          <Text size="sm">
            {t('Attempt {n}', { n: attemptNumber })}, <When at={startedAt} precision="second" />,{' '}
            {t('{ms, number} ms', { ms: durationMs })}
          </Text>
        </Group>
        {error !== null && <Text size="sm">{error}</Text>}
        {statusCode !== null && !isDelivered && (
          <Text size="sm">{t('Only status 200 counts as delivered.')}</Text>
        )}
        {answer !== '' && (
          <>
            <Text size="xs" c="dimmed">
              {t('Response')}
            </Text>
            <Code block tabIndex={0}>
              {answer}
            </Code>
          </>
        )}
        <Disclosure label={t('Request headers')}>
          <Code block tabIndex={0}>
            {headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
          </Code>
          <Text size="xs" c="dimmed" mt={4}>
            {t('Also webhook-signature and x-webhook-signature-256, which aren’t stored.')}
          </Text>
        </Disclosure>
      </Stack>
    </Paper>
  );
}

/** Indents a body for display. The copy button copies the body as sent. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
