import { Button, Group, NativeSelect, Text } from '@mantine/core';
import type { WebhookEndpoint } from '../../../client/types.gen.ts';
import { t } from '../../../ui/text.ts';
import type { TestKind } from './use-sending.ts';
import { kindName } from './words.ts';

interface TestEventProps {
  endpoint: WebhookEndpoint;
  kind: TestKind;
  onKind(kind: TestKind): void;
  isBusy: boolean;
  lastChoice: string | null;
  onSend(choice: string): void;
}

/** Form for sending a test event of a chosen kind. */
export function TestEvent({
  endpoint: { events },
  kind,
  onKind,
  isBusy,
  lastChoice,
  onSend,
}: TestEventProps) {
  const isSample = kind !== 'Webhook/Test';
  return (
    <>
      <NativeSelect
        label={t('Kind of event')}
        w={{ base: '100%', xs: 320 }}
        data={[
          { value: 'Webhook/Test', label: t('Test') },
          ...events.map((each) => ({ value: each, label: kindName(each) })),
        ]}
        value={kind}
        onChange={({ currentTarget: { value } }) => onKind(value as TestKind)}
      />
      <Text size="sm" aria-live="polite">
        {isSample
          ? t(
              'Sends one event now, with example values and isTest: true so that your server can recognize it.',
            )
          : t('Sends one event now. Your server can ignore it.')}
      </Text>
      <Group>
        <Button loading={isBusy} onClick={() => onSend(kind)}>
          {lastChoice === kind ? t('Send again') : t('Send test event')}
        </Button>
      </Group>
    </>
  );
}
