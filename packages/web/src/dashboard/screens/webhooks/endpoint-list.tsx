import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { WebhookEndpoint } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useLinkedAction } from '../../../ui/use-linked-action.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { Health } from './health.tsx';
import { OpenedById } from './opened-event.tsx';
import { likelyMode } from './send-events.tsx';
import { useEndpoints } from './use-endpoints.ts';
import { kindName, stateOfEndpoint, troubledSince } from './words.ts';

export function EndpointList() {
  const endpoints = useEndpoints();
  const [isAdding, setAdding] = useState(false);
  useLinkedAction('add', () => setAdding(true));
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
      {t('Add endpoint')}
    </Button>
  );
  const page = {
    ...endpoints,
    data: endpoints.data && { rows: endpoints.data.rows, nextCursor: null },
  };
  return (
    <ScreenPage
      title={t('Webhooks')}
      about={t('Signed requests that notify your servers of events.')}
      mainAction={add}
    >
      <DataTable
        label={t('Endpoints')}
        columns={columns()}
        page={page}
        rowKey={({ endpointId }: WebhookEndpoint) => endpointId}
        isLinked
        empty={
          <EmptyState icon="webhooks" title={t('No endpoints yet')} action={add}>
            {t('Add your server’s URL, then send a test event and check its response.')}
          </EmptyState>
        }
      />
      <EndpointForm
        opened={isAdding}
        onClose={() => setAdding(false)}
        kinds={endpoints.data?.kinds ?? []}
        endpoint={null}
      />
      <OpenedById />
    </ScreenPage>
  );
}

const columns = (): readonly Column<WebhookEndpoint>[] => [
  { id: 'url', header: t('URL'), cell: (endpoint) => <Address endpoint={endpoint} /> },
  { id: 'state', header: t('Status'), cell: (endpoint) => <State endpoint={endpoint} /> },
  {
    id: 'health',
    header: t('Last 50 deliveries'),
    cell: ({ health }) => <Health health={health} />,
    isUnderName: true,
  },
  {
    id: 'last',
    header: t('Last delivered'),
    tone: 'quiet',
    cell: ({ health }) => <When at={health.lastDeliveredAt} />,
    hiddenBelow: 'md',
  },
  {
    id: 'events',
    header: t('Events'),
    tone: 'quiet',
    cell: ({ events }) => <Events kinds={events.map(kindName)} />,
    hiddenBelow: 'lg',
  },
  {
    id: 'send',
    header: t('Send'),
    hiddenBelow: 'sm',
    cell: (endpoint) => !endpoint.isListener && <SendLink endpoint={endpoint} />,
  },
];

/** Link to the endpoint's page with its panel for sending open. */
function SendLink({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { publisherId } = usePublisher();
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={t('Send events to {url}', { url: endpoint.url })}
      renderRoot={(props) => (
        <Link
          {...props}
          to={`/p/$publisherId/webhooks/${encodeURIComponent(endpoint.endpointId)}`}
          params={{ publisherId } as never}
          search={{ send: likelyMode(endpoint) } as never}
        />
      )}
    >
      {t('Send events')}
    </Button>
  );
}

/** Number of kinds that the list names. The endpoint's page names all. */
const kindsShown = 3;

function Events({ kinds }: { kinds: readonly string[] }) {
  const more = kinds.length - kindsShown;
  if (more <= 0) return kinds.join(', ');
  return (
    <>
      {kinds.slice(0, kindsShown).join(', ')}{' '}
      <span title={kinds.slice(kindsShown).join(', ')}>{t('+{more} more', { more })}</span>
    </>
  );
}

function Address({ endpoint: { endpointId, url } }: { endpoint: WebhookEndpoint }) {
  const { publisherId } = usePublisher();
  return (
    <Anchor
      renderRoot={(props) => (
        <Link
          {...props}
          to={`/p/$publisherId/webhooks/${encodeURIComponent(endpointId)}`}
          params={{ publisherId } as never}
        />
      )}
      style={{ overflowWrap: 'anywhere' }}
    >
      {url}
    </Anchor>
  );
}

function State({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { tone, word } = stateOfEndpoint(endpoint);
  const { disabledReason, rotation } = endpoint;
  const since = troubledSince(endpoint);
  return (
    <Stack gap={2} align="flex-start">
      <StatusBadge tone={tone}>{word}</StatusBadge>
      {since !== null && (
        <Text size="xs" c="dimmed">
          {t('since')} <When at={since} />
        </Text>
      )}
      {disabledReason !== null && (
        <Text size="xs" c="dimmed">
          {disabledReason}
        </Text>
      )}
      {rotation !== null && (
        <Text size="xs" c="dimmed">
          {t('two active secrets')}
        </Text>
      )}
    </Stack>
  );
}
