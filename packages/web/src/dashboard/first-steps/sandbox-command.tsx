import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { createKey } from '../../client/sdk.gen.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { t } from '../../ui/text.ts';
import { recordCurl } from '../screens/transactions/curl.ts';
import { usePublisher } from '../session/session.ts';
import { useUsableCode } from './use-usable-code.ts';

export function SandboxCommand() {
  const { publisherId, nowMs } = usePublisher();
  const { code, isKnown } = useUsableCode(undefined);
  const [command, setCommand] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const make = async (): Promise<void> => {
    if (code === null) return;
    setBusy(true);
    setError(null);
    try {
      const { data } = await createKey({
        path: { publisherId },
        body: { name: 'sandbox command', kind: 'secret' },
        throwOnError: true,
      });
      const { origin } = window.location;
      setCommand(recordCurl({ origin, key: data.key, nowMs: nowMs(), isTest: false, ...code }));
    } catch (thrown) {
      setError(thrown);
    }
    setBusy(false);
  };
  return (
    <Stack gap="sm" align="flex-start" mt="lg">
      <Text size="sm">
        {t('Record a purchase from a terminal with a new sandbox API key. Nothing recorded here is real.')}
      </Text>
      {error !== null && <ErrorNotice error={error} />}
      {isKnown && code === null && (
        <Text size="sm">{t('The command needs an approved creator’s code, and there isn’t one yet.')}</Text>
      )}
      <Button variant="default" loading={isBusy} disabled={code === null} onClick={() => void make()}>
        {t('Create key and command')}
      </Button>
      <ShownOnce title={t('Command to run')} secret={command} onClose={() => setCommand(null)}>
        {t('The command contains the key. Revoke the key under Developers when you’re done.')}
      </ShownOnce>
    </Stack>
  );
}
