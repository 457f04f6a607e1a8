import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { createKey } from '../../client/sdk.gen.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { t } from '../../ui/text.ts';
import { recordCurl } from '../screens/transactions/curl.ts';
import { usePublisher } from '../session/session.ts';

interface KeyCommandProps {
  /** Name of the key, as listed on Developers. */
  name: string;
  /** Code of an approved creator; null to disable the button. */
  code: { code: string; groupId: string } | null;
}

/**
 * Button that creates a key and shows, once, a command that records a purchase with it. For a live publisher, the
 * command records a Test purchase.
 */
export function KeyCommand({ name, code }: KeyCommandProps) {
  const { publisherId, nowMs, sandboxOf } = usePublisher();
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
        body: { name, kind: 'secret' },
        throwOnError: true,
      });
      const { origin } = window.location;
      setCommand(recordCurl({ origin, key: data.key, nowMs: nowMs(), isTest: sandboxOf === null, ...code }));
    } catch (thrown) {
      setError(thrown);
    }
    setBusy(false);
  };
  return (
    <Stack gap="sm" align="flex-start">
      {error !== null && <ErrorNotice error={error} />}
      <Button variant="default" loading={isBusy} disabled={code === null} onClick={() => void make()}>
        {t('Create key and command')}
      </Button>
      <ShownOnce title={t('Command to run')} secret={command} onClose={() => setCommand(null)}>
        {t('The command contains the key. Revoke the key under Developers when you’re done.')}
      </ShownOnce>
    </Stack>
  );
}
