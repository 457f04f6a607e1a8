import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CommandCode } from '../../ui/command-code.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { t } from '../../ui/text.ts';
import { recordCurl } from '../screens/transactions/curl.ts';
import { usePublisher } from '../session/session.ts';
import { ForShops } from './for-shops.tsx';
import { NoTerminal } from './no-terminal.tsx';
import { places } from './step-places.ts';
import type { useCommand } from './use-command.tsx';

interface FirstCommandProps {
  /** Null if no approved creator has a code. */
  code: { code: string; groupId: string } | null;
  isNext: boolean;
  command: ReturnType<typeof useCommand>;
}

/** Button of the step that records a first purchase, and other ways: with a key that the reader has, or from a shop. */
export function FirstCommand({ code, isNext, command: { make, isBusy, error } }: FirstCommandProps) {
  const { nowMs, sandboxOf } = usePublisher();
  // The time is fixed at the first render, because a command that changes while it is being selected can't be copied.
  const [shownMs] = useState(nowMs);
  const [hasKey, setHasKey] = useState(false);
  if (code === null)
    return (
      <>
        {isNext && (
          <Text size="sm" c="dimmed">
            {t('The command needs an approved creator with a code. Add one first.')}
          </Text>
        )}
        <ForShops />
      </>
    );
  const facts = { origin: window.location.origin, key: '$KEY', nowMs: shownMs, isTest: sandboxOf === null };
  return (
    <>
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t create the key')} />}
      <Group gap="xs" mt="xs">
        <Button
          {...(!isNext && { variant: 'default' })}
          loading={isBusy}
          onClick={() => void make('first purchase')}
        >
          {t(places.purchase.button)}
        </Button>
        <Button variant="subtle" aria-expanded={hasKey} onClick={() => setHasKey(!hasKey)}>
          {t('I already have a key')}
        </Button>
      </Group>
      {hasKey && (
        <>
          <Text size="sm" my="xs">
            {t('Set the variable KEY to a secret key first.')}
          </Text>
          <CommandCode value={recordCurl({ ...facts, ...code })} />
        </>
      )}
      <Stack gap={4} mt="xs">
        <NoTerminal />
        <ForShops />
      </Stack>
    </>
  );
}
