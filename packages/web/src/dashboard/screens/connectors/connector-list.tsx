import { Anchor, Button, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListedConnector } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useLinkedAction } from '../../../ui/use-linked-action.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { AddConnector } from './add-connector.tsx';
import classes from './connectors.module.css';
import { EventCounts } from './event-counts.tsx';
import { shopChoices, shopName } from './shops.ts';
import { useConnectors } from './use-connectors.ts';
import { refusalText, stateOfConnector } from './words.ts';

export function ConnectorList() {
  const connectors = useConnectors();
  /** Shop chosen in the form that is open; null while it is closed. */
  const [adding, setAdding] = useState<string | null>(null);
  useLinkedAction('add', () => setAdding('stripe'));
  const page = {
    ...connectors,
    data: connectors.data && { rows: connectors.data.rows, nextCursor: null },
  };
  return (
    <ScreenPage
      title={t('Connectors')}
      about={t('Record purchases from your payment provider’s webhooks, without code in your back end.')}
      mainAction={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding('stripe')}>
          {t('Add connector')}
        </Button>
      }
    >
      <DataTable
        label={t('Connectors')}
        columns={columns()}
        page={page}
        rowKey={({ connectorId }: ListedConnector) => connectorId}
        isLinked
        usualRows={3}
        empty={
          <EmptyState
            icon="connectors"
            title={t('No connectors yet')}
            action={<Choices onChoose={setAdding} />}
          >
            {t('Where do you sell?')}
          </EmptyState>
        }
      />
      <AddConnector choice={adding} onClose={() => setAdding(null)} />
    </ScreenPage>
  );
}

/** Shops as buttons, each of which starts the setup of its connector. */
const Choices = ({ onChoose }: { onChoose(id: string): void }) => (
  <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xs" verticalSpacing="xs" className={classes.choices}>
    {shopChoices.map(({ id, name, about }) => (
      <UnstyledButton key={id} className={classes.choice} onClick={() => onChoose(id)}>
        <Text span fw={600}>
          {t(name)}
        </Text>{' '}
        <Text span size="sm" c="dimmed">
          {t(about)}
        </Text>
      </UnstyledButton>
    ))}
  </SimpleGrid>
);

const columns = (): readonly Column<ListedConnector>[] => [
  { id: 'name', header: t('Name'), tone: 'strong', cell: (connector) => <Name connector={connector} /> },
  { id: 'provider', header: t('Provider'), tone: 'quiet', cell: shopName, isUnderName: true },
  { id: 'state', header: t('Status'), cell: (connector) => <State connector={connector} /> },
  {
    id: 'counts',
    header: t('Last 30 days'),
    cell: ({ counts }) => <EventCounts counts={counts} />,
    isUnderName: true,
  },
  {
    id: 'last',
    header: t('Last real event'),
    tone: 'quiet',
    cell: ({ lastEventAt }) => <When at={lastEventAt} />,
    hiddenBelow: 'md',
  },
];

function Name({ connector: { connectorId, name } }: { connector: ListedConnector }) {
  const { publisherId } = usePublisher();
  return (
    <Anchor
      renderRoot={(props) => (
        <Link
          {...props}
          to={`/p/$publisherId/connectors/${encodeURIComponent(connectorId)}`}
          params={{ publisherId } as never}
        />
      )}
      style={{ overflowWrap: 'anywhere' }}
    >
      {name}
    </Anchor>
  );
}

function State({ connector }: { connector: ListedConnector }) {
  const { tone, word } = stateOfConnector(connector);
  return (
    <Stack gap={2} align="flex-start">
      <StatusBadge tone={tone}>{word}</StatusBadge>
      {tone === 'bad' && connector.refused !== null && (
        <Text size="xs" c="dimmed">
          {refusalText(connector.refused.reason)}
        </Text>
      )}
      {connector.secretChangeStartedAt !== null && (
        <Text size="xs" c="dimmed">
          {t('two active secrets')}
        </Text>
      )}
    </Stack>
  );
}
