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
import { useAskAgain } from './use-endpoints.ts';

interface ReplayDialogProps {
  endpoint: WebhookEndpoint;
  onClose(): void;
}

type What = 'undelivered' | 'failed' | 'all';
const dayMs = 86_400_000;

/** Sends again what an endpoint missed since a moment: counted first, and then as often as it takes. */
export function ReplayDialog({ endpoint, onClose }: ReplayDialogProps) {
  const { publisherId } = usePublisher();
  const askAgain = useAskAgain();
  // The outage began with the first failed attempt; what was tried then is a moment older.
  const [since, setSince] = useState(() =>
    toField(endpoint.failingSince === null ? Date.now() - dayMs : Date.parse(endpoint.failingSince) - 60_000),
  );
  const [what, setWhat] = useState<What>('undelivered');
  // A test that arrives ends the failure, which stays in sight here with its result.
  const [failingSince] = useState(endpoint.failingSince);
  const [isWell, setWell] = useState(failingSince === null);
  const [asked] = useDebouncedValue({ since, what }, 300);
  const [error, setError] = useState<unknown>(null);
  const [sent, setSent] = useState<number | null>(null);
  const { endpointId } = endpoint;
  const sinceIso = fromField(asked.since);
  const count = useQuery({
    ...countReplayOptions({
      path: { publisherId },
      query: { endpointId, since: sinceIso ?? '', what: asked.what },
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
        what: asked.what,
        ...(after !== '' && { after }),
      };
      const data: Replayed = (await replayDeliveries({ path: { publisherId }, body, throwOnError: true }))
        .data;
      replayed += data.replayed;
      after = data.next;
    }
    const message = t('{count, plural, one {# delivery is} other {# deliveries are}} on the way', {
      count: replayed,
    });
    toast(message);
    onClose();
    await askAgain();
  };
  const isCurrent = asked.since === since && asked.what === what && !count.isPlaceholderData;
  return (
    <Dialog opened onClose={onClose} title={t('Send again?')} size="lg">
      <Stack>
        <Unsaved values={{ since, what }} />
        <Text size="sm">{endpoint.url}</Text>
        {failingSince !== null && (
          <FailingNotice
            endpoint={endpoint}
            failingSince={failingSince}
            onTested={(isDelivered) => {
              setWell(isDelivered);
              void askAgain();
            }}
          />
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            type="datetime-local"
            label={t('Since (your time)')}
            value={since}
            onChange={({ currentTarget: { value } }) => setSince(value)}
          />
          <NativeSelect
            label={t('What')}
            data={[
              { value: 'undelivered', label: t('what did not arrive') },
              { value: 'failed', label: t('what was given up') },
              { value: 'all', label: t('everything, also what arrived') },
            ]}
            value={what}
            onChange={({ currentTarget: { value } }) => setWhat(value as What)}
          />
        </SimpleGrid>
        <Text size="sm" aria-live="polite">
          {count.data === undefined ? t('Counting …') : counted(count.data)}{' '}
          {t('They have the eventId they had: your server may have seen some of them.')}
        </Text>
        {count.error !== null && <ErrorNotice error={count.error} onRetry={() => void count.refetch()} />}
        {error !== null && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Leave it')}
          </Button>
          <Button
            data-autofocus={isWell || undefined}
            variant={isWell ? 'filled' : 'default'}
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
        '{count, plural, =0 {There is nothing to send.} one {# delivery will be sent.} other {# deliveries will be sent.}}',
        {
          count: deliveries,
        },
      )
    : t('More than {count, number} deliveries will be sent, set by set.', { count: deliveries });

const actionOf = (count: ReplayCount | undefined): string =>
  count === undefined
    ? t('Send again')
    : count.isExact
      ? t('Send {count, number} again', { count: count.deliveries })
      : t('Send all again');

/** For a field, in the viewer's zone. */
function toField(ms: number): string {
  const at = new Date(ms);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function fromField(text: string): string | null {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
