import { CloseButton, Group, Paper, SegmentedControl, Stack, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { WebhookEndpoint } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { firstChoice } from './past-choice.ts';
import { PastEvents } from './past-events.tsx';
import { SentDeliveries } from './sent-deliveries.tsx';
import { TestEvent } from './test-event.tsx';
import { type TestKind, useSending } from './use-sending.ts';

interface SendEventsProps {
  endpoint: WebhookEndpoint;
  mode: SendMode;
}

export type SendMode = 'test' | 'past';

/** Reads from the URL whether the panel is open, and what it sends. */
export const sendModeOf = ({ send }: { send?: string | undefined }): SendMode | null =>
  send === 'test' || send === 'past' ? send : null;

/** Returns what a person probably wants to send: what a failing endpoint missed, otherwise a test. */
export const likelyMode = ({ failingSince, isEnabled }: WebhookEndpoint): SendMode =>
  failingSince !== null && isEnabled ? 'past' : 'test';

/** Panel on an endpoint's page that sends a test event or past events, and shows what happens to them. */
export function SendEvents({ endpoint, mode }: SendEventsProps) {
  const { setQuery } = useUrlState();
  const [kind, setKind] = useState<TestKind>('Webhook/Test');
  const [past, setPast] = useState(() => firstChoice(endpoint));
  const { sent, isBusy, error, sendTest, sendPast } = useSending(endpoint.endpointId);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Send events')}>
      <Stack>
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h4" tabIndex={-1} ref={title}>
            {t('Send events')}
          </Title>
          <CloseButton size={28} aria-label={t('Close')} onClick={() => setQuery({ send: null })} />
        </Group>
        <SegmentedControl
          aria-label={t('Events to send')}
          value={mode}
          onChange={(value) => setQuery({ send: value }, 'replace')}
          data={[
            { value: 'test', label: t('A test event') },
            { value: 'past', label: t('Past events') },
          ]}
          style={{ alignSelf: 'flex-start' }}
        />
        {mode === 'test' ? (
          <TestEvent
            endpoint={endpoint}
            kind={kind}
            onKind={setKind}
            isBusy={isBusy}
            lastChoice={sent?.choice ?? null}
            onSend={(choice) => void sendTest(choice, kind)}
          />
        ) : (
          <PastEvents
            endpoint={endpoint}
            choice={past}
            onChoice={setPast}
            isBusy={isBusy}
            lastChoice={sent?.choice ?? null}
            onSend={(choice, replay) => void sendPast(choice, replay)}
            onTest={() => setQuery({ send: 'test' }, 'replace')}
          />
        )}
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t send the events')} />}
        {sent !== null && <SentDeliveries endpointId={endpoint.endpointId} sent={sent} />}
      </Stack>
    </Paper>
  );
}
