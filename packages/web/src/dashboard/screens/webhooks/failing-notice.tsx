import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { testEndpoint } from '../../../client/sdk.gen.ts';
import type { WebhookEndpoint, WebhookTest } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { Health } from './health.tsx';
import { TestResult } from './test-dialog.tsx';

interface FailingNoticeProps {
  endpoint: WebhookEndpoint;
  failingSince: string;
  onTested(isDelivered: boolean): void;
}

/** Warns, before anything is resent, that an endpoint is failing. Offers to test the endpoint. */
export function FailingNotice({ endpoint, failingSince, onTested }: FailingNoticeProps) {
  const { publisherId } = usePublisher();
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<WebhookTest | null>(null);
  const [error, setError] = useState<unknown>(null);
  const test = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const path = { publisherId, endpointId: endpoint.endpointId };
      const { data } = await testEndpoint({ path, throwOnError: true });
      setResult(data);
      onTested(data.isDelivered);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const isWorking = result?.isDelivered === true;
  return (
    <Alert
      color={isWorking ? 'green' : 'orange'}
      icon={<Icon name={isWorking ? 'check' : 'alert'} />}
      title={isWorking ? t('This endpoint works again') : t('This endpoint is failing')}
    >
      <Stack gap="xs">
        {!isWorking && (
          <Text size="sm" component="div">
            {t('Failing since')} <When at={failingSince} />. {t('Latest 50 deliveries:')}{' '}
            <Health health={endpoint.health} />.{' '}
            {t('Deliveries that you resend now are likely to fail, too, so send a test first.')}
          </Text>
        )}
        {error !== null && <ErrorNotice error={error} />}
        {result !== null && <TestResult result={result} />}
        {!isWorking && (
          <Group>
            <Button size="xs" data-autofocus loading={isBusy} onClick={() => void test()}>
              {result === null ? t('Send test') : t('Send another test')}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
