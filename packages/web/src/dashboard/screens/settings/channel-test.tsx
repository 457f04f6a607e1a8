import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { testChannel } from '../../../client/sdk.gen.ts';
import type { Channel, ChannelTest } from '../../../client/types.gen.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';

interface ChannelTestDialogProps {
  /** Null while the dialog is closed. */
  channel: Channel | null;
  onClose(): void;
}

/** Sends a test message when it opens, and shows the response. */
export const ChannelTestDialog = ({ channel, onClose }: ChannelTestDialogProps) => (
  <Dialog opened={channel !== null} onClose={onClose} title={t('Test message')} size="lg">
    {channel !== null && <Result channel={channel} onClose={onClose} />}
  </Dialog>
);

function Result({ channel: { channelId, name }, onClose }: { channel: Channel; onClose(): void }) {
  const { publisherId } = usePublisher();
  const [turn, setTurn] = useState(0);
  const [result, setResult] = useState<ChannelTest | null>(null);
  const [error, setError] = useState<unknown>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new turn sends another test
  useEffect(() => {
    const left = new AbortController();
    setResult(null);
    setError(null);
    testChannel({ path: { publisherId, channelId }, throwOnError: true })
      .then(({ data }) => {
        if (!left.signal.aborted) setResult(data);
      })
      .catch((thrown) => {
        if (!left.signal.aborted) setError(thrown);
      });
    return () => left.abort();
  }, [publisherId, channelId, turn]);
  return (
    <Stack>
      <Text size="sm">{name}</Text>
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t send the test')} />}
      {error === null && result === null && <LateSkeleton lines={2} />}
      {result !== null && <Shown result={result} />}
      <Group justify="flex-end">
        <Button
          variant="default"
          onClick={() => setTurn(turn + 1)}
          disabled={result === null && error === null}
        >
          {t('Send another test')}
        </Button>
        <Button onClick={onClose}>{t('Close')}</Button>
      </Group>
    </Stack>
  );
}

function Shown({ result: { isDelivered, statusCode, error, durationMs, answer } }: { result: ChannelTest }) {
  return (
    <Stack gap="xs" role="status">
      <Group gap="xs">
        <StatusBadge tone={isDelivered ? 'good' : 'bad'}>
          {isDelivered ? t('Delivered') : t('Not delivered')}
        </StatusBadge>
        <Text size="sm">
          {statusCode === null
            ? error
            : t('Responded with {status} in {ms} ms.', { status: String(statusCode), ms: durationMs })}
        </Text>
      </Group>
      {answer !== '' && (
        <Code block tabIndex={0}>
          {answer}
        </Code>
      )}
    </Stack>
  );
}
