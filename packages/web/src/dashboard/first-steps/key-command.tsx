import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listTransactionsOptions } from '../../client/@tanstack/react-query.gen.ts';
import { createKey } from '../../client/sdk.gen.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { t } from '../../ui/text.ts';
import { recordCurl, transactionIdIn } from '../screens/transactions/curl.ts';
import { usePublisher } from '../session/session.ts';
import { Tick } from '../tick.tsx';

interface KeyCommandProps {
  /** Name of the key, as listed on Developers. */
  name: string;
  /** Code of an approved creator; null to disable the button. */
  code: { code: string; groupId: string } | null;
  /** True if this is the screen's next step. */
  isMain?: boolean;
  /** Notified when the dialog with the command opens and closes. */
  onShown?: ((isShown: boolean) => void) | undefined;
}

interface Command {
  text: string;
  transactionId: string;
}

/**
 * Button that creates a key and shows, once, a command that records a purchase with it. For a live publisher, the
 * command records a Test purchase.
 */
export function KeyCommand({ name, code, isMain = false, onShown }: KeyCommandProps) {
  const { publisherId, nowMs, sandboxOf } = usePublisher();
  const [command, setCommand] = useState<Command | null>(null);
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
      const facts = { origin, key: data.key, nowMs: nowMs(), isTest: sandboxOf === null, ...code };
      setCommand({ text: recordCurl(facts), transactionId: transactionIdIn(facts) });
      onShown?.(true);
    } catch (thrown) {
      setError(thrown);
    }
    setBusy(false);
  };
  const close = (): void => {
    setCommand(null);
    onShown?.(false);
  };
  return (
    <Stack gap="sm" align={isMain ? 'center' : 'flex-start'}>
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t create the key')} />}
      <Button
        {...(!isMain && { variant: 'default' })}
        loading={isBusy}
        disabled={code === null}
        onClick={() => void make()}
      >
        {t('Create key and command')}
      </Button>
      <ShownOnce
        title={t('Command to run')}
        secret={command?.text ?? null}
        warning={t('The key is shown only once')}
        advice={t('It’s in the command. Copy the key as well if you want to use it again.')}
        done={t('Done')}
        onClose={close}
      >
        <Stack gap="xs">
          {command !== null && <Arrival transactionId={command.transactionId} />}
          <Text size="sm">
            {t('Run the command in a terminal. Revoke the key under Developers when you’re done.')}
          </Text>
        </Stack>
      </ShownOnce>
    </Stack>
  );
}

const pollMs = 2_000;

/** Status line that waits for the purchase that a command records. */
function Arrival({ transactionId }: { transactionId: string }) {
  const { publisherId } = usePublisher();
  const { data } = useQuery({
    ...listTransactionsOptions({ path: { publisherId }, query: { transactionId, limit: 50 } }),
    refetchInterval: ({ state }) => ((state.data?.rows.length ?? 0) > 0 ? false : pollMs),
  });
  const hasArrived = (data?.rows.length ?? 0) > 0;
  return (
    <Group gap="xs" role="status">
      <Tick isDone={hasArrived} />
      <Text size="sm" fw={600}>
        {hasArrived ? t('Purchase recorded.') : t('Waiting for the purchase…')}
      </Text>
    </Group>
  );
}
