import { Alert, Button, Group, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { countReplayOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Replay, ReplayCount, WebhookEndpoint } from '../../../client/types.gen.ts';
import { DateInput } from '../../../ui/dates/date-input.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { type PastChoice, rangeErrors, toReplay } from './past-choice.ts';
import { kindName } from './words.ts';

interface PastEventsProps {
  endpoint: WebhookEndpoint;
  choice: PastChoice;
  onChoice(choice: PastChoice): void;
  isBusy: boolean;
  lastChoice: string | null;
  onSend(choice: string, replay: Replay): void;
  onTest(): void;
}

/** Form for choosing past events by time, result and kind. Shows their number before they are sent. */
export function PastEvents(props: PastEventsProps) {
  const { endpoint, choice, onChoice, isBusy, lastChoice, onSend, onTest } = props;
  const { publisherId } = usePublisher();
  const replay = toReplay(endpoint.endpointId, choice);
  const current = JSON.stringify(replay);
  const [counted] = useDebouncedValue(replay, 300, { leading: true });
  const count = useQuery({
    ...countReplayOptions({
      path: { publisherId },
      query: counted ?? { since: '', endpointId: endpoint.endpointId },
    }),
    enabled: counted !== null && endpoint.isEnabled,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const isCurrent = replay !== null && JSON.stringify(counted) === current && !count.isPlaceholderData;
  const set = (changes: Partial<PastChoice>): void => onChoice({ ...choice, ...changes });
  return (
    <>
      {endpoint.isEnabled ? (
        endpoint.failingSince !== null && (
          <FailingAlert failingSince={endpoint.failingSince} onTest={onTest} />
        )
      ) : (
        <Alert color="orange" icon={<Icon name="alert" />} title={t('This endpoint is off')}>
          {t('Turn it on to send past events. You can send a test event while it’s off.')}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <DateInput
          withTime
          label={t('From (your time zone)')}
          value={choice.from}
          onChange={(from) => set({ from })}
        />
        <DateInput
          withTime
          label={t('To (exclusive)')}
          placeholder={t('Now')}
          value={choice.to}
          error={rangeErrors(choice).to}
          onChange={(to, toText) => set({ to, toText })}
        />
        <NativeSelect
          label={t('Deliveries')}
          data={[
            { value: 'undelivered', label: t('Not delivered') },
            { value: 'failed', label: t('Failed') },
            { value: 'all', label: t('All, including delivered') },
          ]}
          value={choice.what}
          onChange={({ currentTarget: { value } }) => set({ what: value as PastChoice['what'] })}
        />
        <NativeSelect
          label={t('Kind of event')}
          data={[
            { value: '', label: t('All kinds') },
            ...endpoint.events.map((each) => ({ value: each, label: kindName(each) })),
          ]}
          value={choice.kind}
          onChange={({ currentTarget: { value } }) => set({ kind: value })}
        />
      </SimpleGrid>
      {endpoint.isEnabled && (
        <Text size="sm" aria-live="polite">
          {isCurrent && count.data !== undefined ? countText(count.data) : waitText(replay)}{' '}
          {t('Each event keeps its eventId, so your server can recognize events it has already received.')}
        </Text>
      )}
      {count.error !== null && (
        <ErrorNotice
          error={count.error}
          title={t('Couldn’t load the number of events')}
          onRetry={() => void count.refetch()}
        />
      )}
      <Group>
        <Button
          loading={isBusy}
          disabled={!isCurrent || !endpoint.isEnabled || !count.data?.deliveries}
          onClick={() => replay !== null && onSend(current, replay)}
        >
          {lastChoice === current ? t('Send again') : actionOf(isCurrent ? count.data : undefined)}
        </Button>
      </Group>
    </>
  );
}

/** Warns that events sent to a failing endpoint are likely to fail, too. */
const FailingAlert = ({ failingSince, onTest }: { failingSince: string; onTest(): void }) => (
  <Alert color="orange" icon={<Icon name="alert" />} title={t('This endpoint is failing')}>
    <Stack gap="xs" align="flex-start">
      <Text size="sm" component="div">
        {t('Failing since')} <When at={failingSince} />.{' '}
        {t('Events that you send now are likely to fail, too, so send a test event first.')}
      </Text>
      <Button size="xs" variant="default" onClick={onTest}>
        {t('Choose a test event')}
      </Button>
    </Stack>
  </Alert>
);

const waitText = (replay: Replay | null): string =>
  replay === null ? t('Enter a complete range to see how many events will be sent.') : t('Counting…');

const countText = ({ deliveries, isExact }: ReplayCount): string =>
  isExact
    ? t(
        '{count, plural, =0 {There’s nothing to send. Change the range, the deliveries, or the kind.} one {# event will be sent.} other {# events will be sent.}}',
        { count: deliveries },
      )
    : t('More than {count, number} events will be sent, in batches.', { count: deliveries });

const actionOf = (count: ReplayCount | undefined): string =>
  count === undefined || count.deliveries === 0
    ? t('Send events')
    : count.isExact
      ? t('Send {count, plural, one {# event} other {# events}}', { count: count.deliveries })
      : t('Send all events');
