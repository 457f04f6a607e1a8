import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { testEndpoint } from '../../../client/sdk.gen.ts';
import type { WebhookEndpoint, WebhookTest } from '../../../client/types.gen.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';
import { useReloadWebhooks } from './use-endpoints.ts';

interface TestDialogProps {
  opened: boolean;
  onClose(): void;
  endpoint: WebhookEndpoint;
}

export function TestDialog({ opened, onClose, endpoint }: TestDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t('Test delivery')} size="lg">
      {opened && <Result endpoint={endpoint} onClose={onClose} />}
    </Dialog>
  );
}

function Result({ endpoint: { endpointId, url }, onClose }: Omit<TestDialogProps, 'opened'>) {
  const { publisherId } = usePublisher();
  const reload = useReloadWebhooks();
  const [turn, setTurn] = useState(0);
  const [result, setResult] = useState<WebhookTest | null>(null);
  const [error, setError] = useState<unknown>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new turn sends another test
  useEffect(() => {
    const left = new AbortController();
    setResult(null);
    setError(null);
    testEndpoint({ path: { publisherId, endpointId }, throwOnError: true })
      .then(async ({ data }) => {
        if (!left.signal.aborted) setResult(data);
        await reload();
      })
      .catch((thrown) => {
        if (!left.signal.aborted) setError(thrown);
      });
    return () => left.abort();
  }, [publisherId, endpointId, turn, reload]);
  return (
    <Stack>
      <Text size="sm">{url}</Text>
      {error !== null && <ErrorNotice error={error} />}
      {error === null && result === null && <LateSkeleton lines={2} />}
      {result !== null && <TestResult result={result} />}
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

interface TestResultProps {
  result: WebhookTest;
}

export function TestResult({ result }: TestResultProps) {
  const { isDelivered, statusCode, error, durationMs, answer } = result;
  return (
    <Stack gap="xs" role="status">
      <Group gap="xs">
        <StatusBadge tone={isDelivered ? 'good' : 'bad'}>
          {isDelivered ? t('Delivered') : t('Not delivered')}
        </StatusBadge>
        <Text size="sm">
          {statusCode === null
            ? error
            : isDelivered
              ? t('Responded with 200 in {ms} ms.', { ms: durationMs })
              : t('Responded with {status} in {ms} ms. Only 200 counts as delivered.', {
                  status: String(statusCode),
                  ms: durationMs,
                })}
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
