import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { countReplayOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { replayDeliveries } from '../../../client/sdk.gen.ts';
import type { Replay, ReplayCount, Replayed, WebhookEndpoint } from '../../../client/types.gen.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { Unsaved } from '../../../ui/unsaved.tsx';
import { usePublisher } from '../../session/session.ts';
import { FailingNotice } from './failing-notice.tsx';
import { useReloadWebhooks } from './use-endpoints.ts';

interface ReplayDialogProps {
  endpoint: WebhookEndpoint;
  onClose(): void;
}

type What = 'undelivered' | 'failed' | 'all';
const dayMs = 86_400_000;

/** Resends the deliveries that an endpoint missed since a given time. Counts them first, then sends them in batches. */
export function ReplayDialog({ endpoint, onClose }: ReplayDialogProps) {
  const { publisherId } = usePublisher();
  const reload = useReloadWebhooks();
  // The outage began with the first failed attempt, whose event is slightly older.
  const [since, setSince] = useState(() =>
    toField(endpoint.failingSince === null ? Date.now() - dayMs : Date.parse(endpoint.failingSince) - 60_000),
  );
  const [what, setWhat] = useState<What>('undelivered');
  // A successful test ends the failure, but the notice stays visible with the result.
  const [failingSince] = useState(endpoint.failingSince);
  const [isWorking, setWorking] = useState(failingSince === null);
  const [settledInput] = useDebouncedValue({ since, what }, 300);
  const [error, setError] = useState<unknown>(null);
  const [sent, setSent] = useState<number | null>(null);
  const { endpointId } = endpoint;
  const sinceIso = fromField(settledInput.since);
  const count = useQuery({
    ...countReplayOptions({
      path: { publisherId },
      query: { endpointId, since: sinceIso ?? '', what: settledInput.what },
    }),
    enabled: sinceIso !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const replay = async (): Promise<void> => {
    setError(null);
    let replayed = 0;
    let after: string | null = '';
    while (after !== null) {
      setSent(replayed);
      const body: Replay = {
        endpointId,
        since: sinceIso ?? '',
        what: settledInput.what,
        ...(after !== '' && { after }),
      };
      const data: Replayed = (await replayDeliveries({ path: { publisherId }, body, throwOnError: true }))
        .data;
      replayed += data.replayed;
      after = data.next;
    }
    const message = t('Resending {count, plural, one {# delivery} other {# deliveries}}', {
      count: replayed,
    });
    toast(message);
    onClose();
    await reload();
  };
  const isCurrent = settledInput.since === since && settledInput.what === what && !count.isPlaceholderData;
  return (
    <Dialog opened onClose={onClose} title={t('Replay deliveries?')} size="lg">
      <Stack>
        <Unsaved values={{ since, what }} />
        <Text size="sm">{endpoint.url}</Text>
        {failingSince !== null && (
          <FailingNotice
            endpoint={endpoint}
            failingSince={failingSince}
            onTested={(isDelivered) => {
              setWorking(isDelivered);
              void reload();
            }}
          />
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            type="datetime-local"
            label={t('Since (your time zone)')}
            value={since}
            onChange={({ currentTarget: { value } }) => setSince(value)}
          />
          <NativeSelect
            label={t('Deliveries')}
            data={[
              { value: 'undelivered', label: t('Not delivered') },
              { value: 'failed', label: t('Failed') },
              { value: 'all', label: t('All, including delivered') },
            ]}
            value={what}
            onChange={({ currentTarget: { value } }) => setWhat(value as What)}
          />
        </SimpleGrid>
        <Text size="sm" aria-live="polite">
          {count.data === undefined ? t('Counting…') : counted(count.data)}{' '}
          {t('Each keeps its eventId, so your server can recognize events it has already received.')}
        </Text>
        {count.error !== null && <ErrorNotice error={count.error} onRetry={() => void count.refetch()} />}
        {error !== null && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button
            data-autofocus={isWorking || undefined}
            variant={isWorking ? 'filled' : 'default'}
            loading={sent !== null}
            disabled={!isCurrent || count.data === undefined || count.data.deliveries === 0}
            onClick={() =>
              void replay()
                .catch(setError)
                .finally(() => setSent(null))
            }
          >
            {actionOf(count.data)}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

const counted = ({ deliveries, isExact }: ReplayCount): string =>
  isExact
    ? t(
        '{count, plural, =0 {There is nothing to resend.} one {# delivery will be resent.} other {# deliveries will be resent.}}',
        {
          count: deliveries,
        },
      )
    : t('More than {count, number} deliveries will be resent, in batches.', { count: deliveries });

const actionOf = (count: ReplayCount | undefined): string =>
  count === undefined
    ? t('Resend')
    : count.isExact
      ? t('Resend {count, number}', { count: count.deliveries })
      : t('Resend all');

/** Formats a time for a `datetime-local` field, in the reader's zone. */
function toField(ms: number): string {
  const at = new Date(ms);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function fromField(text: string): string | null {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
