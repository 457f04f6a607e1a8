import { Anchor, Code, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listDeliveriesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { WebhookDelivery } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { unknown } from '../../../ui/money.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { usePublisher } from '../../session/session.ts';
import { useReloadWebhooks } from './use-endpoints.ts';
import type { Sent } from './use-sending.ts';
import { eventName, lastResponse, stateOfDelivery } from './words.ts';

interface SentDeliveriesProps {
  endpointId: string;
  sent: Sent;
}

/** Deliveries of the events that were just sent. They reload until each one has ended. */
export function SentDeliveries({ endpointId, sent }: SentDeliveriesProps) {
  const { publisherId } = usePublisher();
  const reload = useReloadWebhooks();
  const { count, underWay, answer } = sent;
  const eventId = [...sent.eventIds];
  const { data, error, refetch } = useQuery({
    ...listDeliveriesOptions({ path: { publisherId }, query: { endpointId, eventId, limit: 50 } }),
    enabled: eventId.length > 0,
    refetchInterval: ({ state }) => pollMs(state.data?.rows),
  });
  const rows = data?.rows.toReversed() ?? [];
  const progress = rows.map(({ state, tryCount }) => `${state} ${tryCount}`).join();
  // The page's other lists change with the progress.
  useEffect(() => {
    if (progress !== '') void reload();
  }, [progress, reload]);
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('Sent')}
      </Title>
      {count === 0 && <Text size="sm">{t('There’s nothing left to send.')}</Text>}
      {underWay > 0 && (
        <Text size="sm">
          {t(
            '{count, plural, one {# delivery was} other {# deliveries were}} already being sent. Send it again if it fails.',
            { count: underWay },
          )}
        </Text>
      )}
      {error !== null && (
        <ErrorNotice error={error} title={t('Couldn’t load the deliveries')} onRetry={() => void refetch()} />
      )}
      {eventId.length > 0 && data === undefined && error === null && <LateSkeleton lines={2} />}
      {rows.length > 0 && (
        <>
          <Text size="sm" role="status">
            {summaryOf(rows)}{' '}
            {count > rows.length &&
              t(
                'These are the first {shown} of {count, number} events. The list of deliveries has all of them.',
                {
                  shown: rows.length,
                  count,
                },
              )}
          </Text>
          <SentTable rows={rows} />
        </>
      )}
      {answer !== '' && (
        <>
          <Text size="xs" c="dimmed">
            {t('Response')}
          </Text>
          <Code block tabIndex={0} mah={200} style={{ overflow: 'auto' }}>
            {answer}
          </Code>
        </>
      )}
    </Stack>
  );
}

function SentTable({ rows }: { rows: readonly WebhookDelivery[] }) {
  const { setQuery } = useUrlState();
  const isNarrow = useNarrow();
  return (
    <Table aria-label={t('Sent events')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('Event')}</Table.Th>
          <Table.Th scope="col">{t('Status')}</Table.Th>
          {!isNarrow && <Table.Th scope="col">{t('Response')}</Table.Th>}
          {!isNarrow && <Table.Th scope="col">{t('Duration')}</Table.Th>}
          <Table.Th scope="col">{t('Reason')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => {
          const { tone, word } = stateOfDelivery(row);
          const { response, duration } = lastTry(row);
          return (
            <Table.Tr key={row.eventId}>
              <Table.Td>
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  style={{ minHeight: 24, textAlign: 'start', overflowWrap: 'anywhere' }}
                  onClick={() => setQuery({ open: row.eventId })}
                >
                  {eventName(row)}
                </Anchor>
                {isNarrow && (
                  <Text size="xs" c="dimmed">
                    {response}, {duration}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <StatusBadge tone={tone}>{word}</StatusBadge>
              </Table.Td>
              {!isNarrow && <Table.Td>{response}</Table.Td>}
              {!isNarrow && <Table.Td>{duration}</Table.Td>}
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{reasonOf(row)}</Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}

/** Returns the result of the last attempt, or dashes until there is one. */
const lastTry = (row: WebhookDelivery): { response: string; duration: string } =>
  row.tryCount === 0
    ? { response: unknown, duration: unknown }
    : {
        response: row.lastStatusCode === null ? t('No response') : (lastResponse(row) ?? unknown),
        duration: row.lastDurationMs === null ? unknown : t('{ms, number} ms', { ms: row.lastDurationMs }),
      };

function reasonOf({ state, tryCount, lastStatusCode, lastError }: WebhookDelivery): string {
  if (tryCount === 0 || state === 'Delivered') return unknown;
  if (lastError !== null) return lastError.charAt(0).toUpperCase() + lastError.slice(1);
  return lastStatusCode === null ? unknown : t('Only status 200 counts as delivered.');
}

/** Returns the time until the next reload: short until each delivery has been attempted, none once each has ended. */
function pollMs(rows: readonly WebhookDelivery[] | undefined): number | false {
  const pending = rows?.filter(({ state }) => state === 'Pending') ?? [];
  if (pending.length === 0) return false;
  return pending.some(({ tryCount }) => tryCount === 0) ? 1_000 : 5_000;
}

function summaryOf(rows: readonly WebhookDelivery[]): string {
  const of = (isCounted: (row: WebhookDelivery) => boolean): number => rows.filter(isCounted).length;
  const parts = [
    t('{delivered} of {count} delivered', {
      delivered: of(({ state }) => state === 'Delivered'),
      count: rows.length,
    }),
  ];
  const add = (count: number, text: string): void => void (count > 0 && parts.push(text));
  const failed = of(({ state }) => state === 'Failed');
  const retrying = of(({ state, tryCount }) => state === 'Pending' && tryCount > 0);
  const waiting = of(({ state, tryCount }) => state === 'Pending' && tryCount === 0);
  add(failed, t('{count} failed', { count: failed }));
  add(retrying, t('{count} retrying', { count: retrying }));
  add(waiting, t('{count} waiting', { count: waiting }));
  return `${parts.join(', ')}.`;
}
