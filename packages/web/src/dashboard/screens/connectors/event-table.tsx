import { Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import { listConnectorEventsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { ConnectorEvent, ListedConnector } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FilterBar, FilterSelect } from '../../../ui/filter-bar.tsx';
import { FilterText } from '../../../ui/filter-text.tsx';
import { Money, unknown } from '../../../ui/money.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { ShortId } from '../../../ui/short-id.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePage } from '../../../ui/use-page.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { EventDetail } from './event-detail.tsx';
import { kindOfEvent, reasonName, reasonNames, stateOfEvent } from './event-words.ts';
import { MissingCodes } from './missing-codes.tsx';
import { ReplayFailed } from './replay-failed.tsx';

const statuses = ['Failed', 'Waiting', 'Ignored', 'Done'] as const;

/** Events of a connector, newest first. Opening a row shows what arrived, and what became of it. */
export function EventTable({ connector }: { connector: ListedConnector }) {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const { connectorId } = connector;
  const status = statuses.find((each) => each === query.status);
  const reason = query.reason === undefined || !(query.reason in reasonNames) ? undefined : query.reason;
  const shownColumns = useMemo(columns, []);
  const page = usePage({
    ...listConnectorEventsOptions({
      path: { publisherId, connectorId },
      query: { status, reason, orderId: query.orderId, cursor: query.cursor, limit: limitOf(query) },
    }),
    // Until events are worked on, which takes a moment. A paused connector doesn't work on them.
    refetchInterval: ({ state: { data } }) =>
      connector.pausedAt === null && data?.rows.some((row) => row.reason === 'New') ? 2_000 : false,
  });
  const isFiltered = status !== undefined || reason !== undefined || query.orderId !== undefined;
  return (
    <section>
      <MissingCodes connector={connector} />
      <Group justify="space-between" align="flex-start">
        <FilterBar
          fieldNames={['status', 'reason', 'orderId']}
          fields={
            <>
              <FilterSelect
                name="status"
                isMain
                label={t('Status')}
                all={t('All')}
                choices={[
                  ['Failed', t('Failed')],
                  ['Waiting', t('Waiting')],
                  ['Ignored', t('Ignored')],
                  ['Done', t('Done')],
                ]}
              />
              <FilterSelect
                name="reason"
                label={t('Reason')}
                all={t('All')}
                choices={Object.keys(reasonNames).map((each) => [each, reasonName(each)])}
              />
              <FilterText
                name="orderId"
                label={t('Order ID')}
                placeholder={t('For example {example}', { example: 'order-1001' })}
              />
            </>
          }
        />
        {connector.counts.failed > 0 && <ReplayFailed connector={connector} />}
      </Group>
      <DataTable
        label={t('Events')}
        list="connector-events"
        columns={shownColumns}
        page={page}
        rowKey={eventIdOf}
        days={days}
        rowName={({ type, orderId }) => `${type} ${orderId ?? ''}`.trim()}
        empty={
          <EmptyState icon="connectors" title={t('No events')}>
            {isFiltered ? t('No matching events.') : t('Finish the setup, and wait for a test event.')}
          </EmptyState>
        }
      />
      <DetailDrawer title={t('Event')}>
        {(eventId) => <EventDetail connectorId={connectorId} eventId={eventId} />}
      </DetailDrawer>
    </section>
  );
}

const eventIdOf = ({ eventId }: ConnectorEvent): string => eventId;

const days = { column: 'at', at: ({ receivedAt }: ConnectorEvent) => receivedAt };

const columns = (): readonly Column<ConnectorEvent>[] => [
  {
    id: 'at',
    header: t('Time'),
    tone: 'quiet',
    cell: ({ receivedAt }) => <When at={receivedAt} precision="second" />,
    isUnderName: true,
  },
  {
    id: 'type',
    noWrap: true,
    header: t('Event'),
    tone: 'strong',
    cell: kindOfEvent,
  },
  {
    id: 'order',
    header: t('Order'),
    tone: 'quiet',
    noWrap: true,
    cell: ({ orderId }) => (orderId === null ? unknown : <ShortId id={orderId} />),
    isUnderName: true,
  },
  {
    id: 'amount',
    header: t('Total'),
    cell: ({ amount }) => <Money minor={amount?.minor} currency={amount?.currency ?? ''} />,
    align: 'end',
    noWrap: true,
    isUnderAmount: true,
  },
  {
    id: 'state',
    header: t('Result'),
    cell: (row) => {
      const { tone, word } = stateOfEvent(row);
      return <StatusBadge tone={tone}>{word}</StatusBadge>;
    },
  },
  {
    id: 'message',
    header: t('Details'),
    tone: 'quiet',
    cell: ({ message }) => (
      <Text size="sm" lineClamp={1}>
        {message ?? unknown}
      </Text>
    ),
    isBlank: ({ message }) => message === null,
    hiddenBelow: 'lg',
  },
];
