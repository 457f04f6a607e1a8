import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { testConnector } from '../../../../client/sdk.gen.ts';
import type { ListedConnector } from '../../../../client/types.gen.ts';
import { ErrorNotice } from '../../../../ui/error-notice.tsx';
import { t } from '../../../../ui/text.ts';
import { useAttempt } from '../../../../ui/use-attempt.ts';
import { useFormErrors } from '../../../../ui/use-form-errors.ts';
import { useUsableCode } from '../../../first-steps/use-usable-code.ts';
import { usePublisher } from '../../../session/session.ts';
import { groupsOptions } from '../../../shell/groups.ts';

interface SendSampleProps {
  connector: ListedConnector;
  /** True if a sample passed, so that what it does needs no explanation. */
  isSent: boolean;
  /** Runs before the sample is sent. */
  onSend(): void;
}

/** Sends a sample order, signed with the stored secret, the way that the provider's events go. */
export function SendSample({ connector, isSent, onSend }: SendSampleProps) {
  const { publisherId } = usePublisher();
  const { data: groups = [] } = useQuery(groupsOptions(publisherId));
  const groupId = connector.groupId ?? groups.find(({ isDefault }) => isDefault)?.groupId;
  const { code: usable } = useUsableCode(groupId);
  const [typed, setTyped] = useState<string | null>(null);
  const code = typed ?? usable?.code ?? '';
  const { error, isBusy, run } = useAttempt();
  const { errors, check } = useFormErrors({
    code: code.trim() === '' ? t('Creator code is required.') : null,
  });
  if (!connector.hasSecret || !isInSampleFormat(connector)) return null;
  const send = (): Promise<void> =>
    run(async () => {
      onSend();
      await testConnector({
        path: { publisherId, connectorId: connector.connectorId },
        body: { code: code.trim(), fixture: fixtureOf(connector) },
        throwOnError: true,
      });
    });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (check(event.currentTarget) && !isBusy) void send();
      }}
    >
      <Stack gap="xs">
        {!isSent && (
          <Text size="sm" c="dimmed">
            {connector.poll !== null &&
              t('A sample order is recorded as if Steam’s report contained it. It earns nothing.')}
            {connector.poll === null &&
              t(
                'No test mode? Send a sample order, signed with the saved secret. It checks the code and the recording, but not that the secret is right.',
              )}
          </Text>
        )}
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t send the sample')} />}
        <Group gap="xs" align="flex-end">
          <TextInput
            label={t('Creator code')}
            name="code"
            autoComplete="off"
            maxLength={255}
            w={200}
            value={code}
            error={errors.code}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
          <Button type="submit" variant="default" loading={isBusy}>
            {t('Send sample')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Settings of a signature. Samples are signed as they say. */
const signatureSettings = new Set(['header', 'algorithm', 'encoding', 'signed', 'timeHeader']);

/** Samples of a shop have the format for one's own shop, which other settings can't read. */
const isInSampleFormat = ({ settings: { generic = {} } }: ListedConnector): boolean =>
  Object.keys(generic).every((name) => signatureSettings.has(name));

const fixtureOf = ({ settings }: ListedConnector): string =>
  settings.stripeSales === 'payment_intent' ? 'payment_succeeded' : 'order_paid';
