import { Group, Title } from '@mantine/core';
import { useMemo } from 'react';
import { listDeliveriesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { WebhookDelivery } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ExportButton } from '../../../ui/export-button.tsx';
import { ExportChosen } from '../../../ui/export-chosen.tsx';
import { FilterBar, FilterSelect } from '../../../ui/filter-bar.tsx';
import { unknown } from '../../../ui/money.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useChosen } from '../../../ui/use-chosen.ts';
import { usePage } from '../../../ui/use-page.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { describeFilters } from '../../views/describe-view.ts';
import { ViewsMenu } from '../../views/views-menu.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import { DeliverySubject } from './delivery-subject.tsx';
import { eventName, isDue, lastResponse, stateOfDelivery } from './words.ts';

const states = ['Failed', 'Pending', 'Delivered'] as const;

/** Deliveries to an endpoint, newest first. Opening a row shows its attempts. */
export function DeliveryTable({ endpointId, isGone = false }: { endpointId: string; isGone?: boolean }) {
  const { publisherId, may } = usePublisher();
  const { query } = useUrlState();
  const state = states.find((each) => each === query.state);
  const shownColumns = useMemo(columns, []);
  const page = usePage(
    listDeliveriesOptions({
      path: { publisherId },
      query: { endpointId, state, cursor: query.cursor, limit: limitOf(query) },
    }),
  );
  const { ids, onSelect } = useChosen(page.data?.rows ?? [], eventIdOf);
  const csvPath = `/admin/v1/publishers/${encodeURIComponent(publisherId)}/deliveries.csv`;
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {t('Deliveries')}
      </Title>
      <Group justify="space-between" align="flex-start">
        <FilterBar
          fieldNames={['state']}
          fields={
            <FilterSelect
              name="state"
              isMain
              label={t('Status')}
              all={t('All')}
              choices={[
                ['Failed', t('Failed')],
                ['Pending', t('Waiting')],
                ['Delivered', t('Delivered')],
              ]}
            />
          }
        />
        <Group gap="sm">
          <ViewsMenu list="deliveries" />
          {may('export') && (
            <ExportButton
              path={csvPath}
              query={{ endpointId, state }}
              label={t('Export CSV')}
              amount={undefined}
              filters={describeFilters(state === undefined ? {} : { state })}
              columns={t(
                'All columns: event, endpoint, kind, status, attempts, times, and the last response.',
              )}
            />
          )}
        </Group>
      </Group>
      <DataTable
        label={t('Deliveries')}
        list="deliveries"
        columns={shownColumns}
        page={page}
        rowKey={eventIdOf}
        days={days}
        rowName={(row) => `${eventName(row)} ${row.eventId}`}
        {...(may('export') && { onSelect })}
        empty={
          <EmptyState icon="webhooks" title={t('No deliveries')}>
            {state === undefined && isGone
              ? t('No stored deliveries to this endpoint.')
              : state === undefined
                ? t('Send a test event, or wait for an event. Deliveries older than 30 days are deleted.')
                : t('No deliveries with this status. Show all of them instead.')}
          </EmptyState>
        }
      />
      <ExportChosen path={csvPath} ids={ids} query={{ endpointId }} />
      <DetailDrawer title={t('Delivery')}>
        {(eventId) => <DeliveryDetail endpointId={endpointId} eventId={eventId} />}
      </DetailDrawer>
    </section>
  );
}

/** Last response. A phone leaves out that of a delivered event, and never cuts off a status, which is short. */
function Response({ delivery }: { delivery: WebhookDelivery }) {
  const text = lastResponse(delivery) ?? unknown;
  if (delivery.state === 'Delivered') return <span data-none>{text}</span>;
  return delivery.lastStatusCode === null ? text : <span data-status>{text}</span>;
}

const eventIdOf = ({ eventId }: WebhookDelivery): string => eventId;

const days = { column: 'at', at: ({ createdAt }: WebhookDelivery) => createdAt };

const columns = (): readonly Column<WebhookDelivery>[] => [
  {
    id: 'at',
    header: t('Time'),
    tone: 'quiet',
    cell: ({ createdAt }) => <When at={createdAt} precision="second" />,
    isUnderName: true,
  },
  {
    id: 'kind',
    noWrap: true,
    header: t('Event'),
    tone: 'strong',
    cell: eventName,
  },
  {
    id: 'subject',
    header: t('About'),
    cell: ({ subject }) => <DeliverySubject subject={subject} />,
    isUnderName: 'first',
    isCut: true,
    isBlank: ({ subject }) => subject === null,
    isExpected: true,
  },
  {
    id: 'state',
    header: t('Status'),
    cell: (row) => {
      const { tone, word } = stateOfDelivery(row);
      return <StatusBadge tone={tone}>{word}</StatusBadge>;
    },
  },
  {
    id: 'answer',
    header: t('Last response'),
    tone: 'quiet',
    cell: (row) => <Response delivery={row} />,
    isBlank: (row) => lastResponse(row) === null,
    isExpected: true,
    isUnderName: true,
  },
  {
    id: 'attempts',
    header: t('Attempts'),
    tone: 'quiet',
    align: 'end',
    isBlank: ({ attemptCount }) => attemptCount === 0,
    cell: ({ attemptCount }) => attemptCount,
    hiddenBelow: 'md',
  },
  {
    id: 'next',
    header: t('Next attempt'),
    tone: 'quiet',
    isBlank: ({ nextAttemptAt }) => nextAttemptAt === null,
    cell: (row) => (isDue(row) ? t('now') : <When at={row.nextAttemptAt} />),
    hiddenBelow: 'md',
  },
];
