import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { t } from '../../ui/text.ts';
import { usePublisher } from '../session/session.ts';
import { dayMs, useAdvance } from './use-clock.ts';

/** Button that lets a month pass in the sandbox, so that amounts on hold become due. */
export function AdvanceMonth() {
  const { nowMs } = usePublisher();
  const { advance, isPending } = useAdvance();
  const [error, setError] = useState<unknown>(null);
  const go = async (): Promise<void> => {
    setError(null);
    try {
      await advance(nowMs() + 30 * dayMs);
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <Stack align="center" gap="sm">
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t advance the clock')} />}
      <Button loading={isPending} onClick={() => void go()}>
        {t('Advance 30 days')}
      </Button>
    </Stack>
  );
}
