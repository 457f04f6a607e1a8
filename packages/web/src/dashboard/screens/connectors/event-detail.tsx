import { Button, Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { getConnectorEventOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { replayConnectorEvent } from '../../../client/sdk.gen.ts';
import type { ConnectorEventDetail } from '../../../client/types.gen.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Disclosure } from '../../../ui/disclosure.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Money, unknown } from '../../../ui/money.tsx';
import { FactsSkeleton } from '../../../ui/skeletons.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { When } from '../../../ui/when.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { kindOfEvent, stateOfEvent } from './event-words.ts';
import { whenRecorded } from './missing-codes.tsx';
import { useConnectors, useReloadConnectors } from './use-connectors.ts';

interface EventDetailProps {
  connectorId: string;
  eventId: string;
}

/** Shows an event: what arrived, what was read, and what became of it. */
export function EventDetail({ connectorId, eventId }: EventDetailProps) {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery({
    ...getConnectorEventOptions({ path: { publisherId, connectorId, eventId } }),
    refetchInterval: ({ state }) => (state.data?.status === 'Waiting' ? 2_000 : false),
  });
  const failed = error !== null && (
    <ErrorNotice
      error={error}
      title={t('Couldn’t load the event')}
      missing={t('Event not found')}
      onRetry={() => void refetch()}
    />
  );
  if (data === undefined) return failed || <FactsSkeleton />;
  return (
    <Stack>
      {failed}
      <EventFacts event={data} />
      {data.status !== 'Done' && <Replay connectorId={connectorId} eventId={eventId} />}
      {data.rows.length > 0 && <Rows rows={data.rows} />}
      {data.reading.length > 0 && (
        <>
          <Heading>{t('Parsed values')}</Heading>
          <Facts facts={data.reading.map(({ name, value }) => [name, value])} />
        </>
      )}
      <Arrived event={data} />
    </Stack>
  );
}

const Heading = ({ children }: { children: string }) => (
  <Title order={3} size="h5">
    {children}
  </Title>
);

function EventFacts({ event }: { event: ConnectorEventDetail }) {
  const { tone, word } = stateOfEvent(event);
  const { transactionId, orderId, amount, missingCode, message, problem } = event;
  return (
    <Facts
      facts={[
        [t('Event'), kindOfEvent(event)],
        [
          t('Result'),
          <StatusBadge key="state" tone={tone}>
            {word}
          </StatusBadge>,
        ],
        ...(message === null && problem === null ? [] : [[t('Details'), message ?? problem] as const]),
        ...(missingCode === null
          ? []
          : [
              [
                t('Unknown code'),
                <Missing key="code" code={missingCode} connectorId={event.connectorId} />,
              ] as const,
            ]),
        [t('Order'), orderId ?? unknown],
        ...(amount === null
          ? []
          : [
              [
                t('Total'),
                <Fragment key="total">
                  <Money minor={amount.minor} currency={amount.currency} />
                  <Text size="xs" c="dimmed">
                    {t(
                      'What the buyer paid, got back, or disputed. Shares are calculated from the subtotal.',
                    )}
                  </Text>
                </Fragment>,
              ] as const,
            ]),
        [
          t('Purchase'),
          transactionId === null ? (
            unknown
          ) : (
            <ScreenLink key="purchase" screen="transactions" query={{ open: transactionId }}>
              {transactionId}
            </ScreenLink>
          ),
        ],
        [t('Received'), <When key="at" at={event.receivedAt} precision="second" />],
        [t('Processed'), <When key="finished" at={event.finishedAt} precision="second" />],
        ...(event.nextAttemptAt === null
          ? []
          : [[t('Next attempt'), <When key="next" at={event.nextAttemptAt} precision="second" />] as const]),
        ...(event.repeats === 0
          ? []
          : [[t('Received again'), t('{count}×', { count: event.repeats })] as const]),
      ]}
    />
  );
}

function Missing({ code, connectorId }: { code: string; connectorId: string }) {
  const connector = useConnectors().data?.rows.find((each) => each.connectorId === connectorId);
  return (
    <>
      <ScreenLink screen="creators" query={{ check: code, group: connector?.groupId ?? undefined }}>
        {code}
      </ScreenLink>
      <Text size="xs" c="dimmed">
        {whenRecorded(connector !== undefined && connector.pausedAt !== null)}
      </Text>
    </>
  );
}

function Rows({ rows }: Pick<ConnectorEventDetail, 'rows'>) {
  return (
    <>
      <Heading>{t('Recorded transactions')}</Heading>
      <Table aria-label={t('Recorded transactions')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Code')}</Table.Th>
            <Table.Th scope="col">{t('Subtotal')}</Table.Th>
            <Table.Th scope="col">{t('Share')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and their order never changes
            <Table.Tr key={at}>
              <Table.Td>
                <ScreenLink screen="creators" query={{ check: row.code }}>
                  {row.code}
                </ScreenLink>
                <Text size="xs" c="dimmed">
                  {row.description}
                </Text>
              </Table.Td>
              <Table.Td>
                <Money minor={row.subtotalMinor} currency={row.currency} />
              </Table.Td>
              <Table.Td>
                <Money minor={row.shareMinor} currency={row.currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

function Arrived({ event: { body, headers } }: { event: ConnectorEventDetail }) {
  return (
    <>
      <Group justify="space-between">
        <Heading>{t('Request body')}</Heading>
        {body !== null && <CopyButton value={body} label={t('Copy body')} />}
      </Group>
      {body === null ? (
        <Text size="sm" c="dimmed">
          {t('The body is deleted once the event is done, or after 30 days at the latest.')}
        </Text>
      ) : (
        <Code block tabIndex={0}>
          {readable(body)}
        </Code>
      )}
      {headers.length > 0 && (
        <Disclosure label={t('Request headers')}>
          <Code block tabIndex={0}>
            {headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
          </Code>
        </Disclosure>
      )}
    </>
  );
}

function Replay({ connectorId, eventId }: EventDetailProps) {
  const { publisherId } = usePublisher();
  const reload = useReloadConnectors();
  const { error, isBusy, run } = useAttempt();
  const replay = (): Promise<void> =>
    run(async () => {
      await replayConnectorEvent({ path: { publisherId, connectorId, eventId }, throwOnError: true });
      toast(t('Replaying the event'));
      await reload();
    });
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        leftSection={<Icon name="refresh" size={16} />}
        loading={isBusy}
        onClick={() => void replay()}
      >
        {t('Replay')}
      </Button>
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t replay the event')} />}
    </Stack>
  );
}

/** Indents a body for display. The copy button copies the body as it arrived. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
