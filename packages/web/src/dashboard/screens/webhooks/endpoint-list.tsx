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
import { ReplayDialog } from './replay-dialog.tsx';
import { useEndpoints } from './use-endpoints.ts';
import { kindName, stateOfEndpoint } from './words.ts';

export function EndpointList() {
  const endpoints = useEndpoints();
  const [isAdding, setAdding] = useState(false);
  useLinkedAction('add', () => setAdding(true));
  const [replaying, setReplaying] = useState<WebhookEndpoint | null>(null);
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
      {t('Add endpoint')}
    </Button>
  );
  const page = {
    ...endpoints,
    data: endpoints.data && { rows: endpoints.data.rows, nextCursor: null },
  } as never;
  return (
    <ScreenPage
      title={t('Webhooks')}
      about={t('Signed requests that notify your servers of events.')}
      actions={add}
    >
      <DataTable
        label={t('Endpoints')}
        columns={columns(setReplaying)}
        page={page}
        rowKey={({ endpointId }: WebhookEndpoint) => endpointId}
        empty={
          <EmptyState icon="webhooks" title={t('No endpoints yet')} action={add}>
            {t('Add your server’s URL, then send a test and check its response.')}
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
      {replaying !== null && <ReplayDialog endpoint={replaying} onClose={() => setReplaying(null)} />}
    </ScreenPage>
  );
}

const columns = (onReplay: (endpoint: WebhookEndpoint) => void): readonly Column<WebhookEndpoint>[] => [
  { id: 'url', header: t('URL'), cell: (endpoint) => <Address endpoint={endpoint} /> },
  { id: 'state', header: t('Status'), cell: (endpoint) => <State endpoint={endpoint} /> },
  {
    id: 'health',
    header: t('Latest 50'),
    cell: ({ health }) => <Health health={health} />,
    hiddenBelow: 'sm',
  },
  {
    id: 'last',
    header: t('Last delivered'),
    cell: ({ health }) => <When at={health.lastDeliveredAt} />,
    hiddenBelow: 'md',
  },
  {
    id: 'events',
    header: t('Events'),
    cell: ({ events }) => events.map(kindName).join(', '),
    hiddenBelow: 'lg',
  },
  {
    id: 'replay',
    header: t('Replay'),
    hiddenBelow: 'sm',
    cell: (endpoint) =>
      endpoint.failingSince !== null &&
      endpoint.isEnabled && (
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="refresh" size={14} />}
          aria-label={t('Replay events that {url} missed', { url: endpoint.url })}
          onClick={() => onReplay(endpoint)}
        >
          {t('Replay')}
        </Button>
      ),
  },
];

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
  const { failingSince, disabledReason, rotation } = endpoint;
  return (
    <Stack gap={2} align="flex-start">
      <StatusBadge tone={tone}>{word}</StatusBadge>
      {failingSince !== null && (
        <Text size="xs" c="dimmed">
          {t('since')} <When at={failingSince} />
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
