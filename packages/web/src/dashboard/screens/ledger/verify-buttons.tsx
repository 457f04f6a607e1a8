import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { verifyLedgerMutation } from '../../../client/@tanstack/react-query.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { usePublisher } from '../../session/session.ts';

/** Buttons that request a verification of everything, or only of changes since the last verification. */
export function VerifyButtons({ isUnderWay }: { isUnderWay: boolean }) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const verify = useMutation(verifyLedgerMutation());
  const [error, setError] = useState<unknown>(null);
  const start = async (all: boolean): Promise<void> => {
    setError(null);
    try {
      await verify.mutateAsync({ path: { publisherId }, body: { all } });
      toast(all ? t('Verifying all balances') : t('Verifying recent changes'));
      await queryClient.invalidateQueries();
    } catch (thrown) {
      setError(thrown);
    }
  };
  const isBusy = isUnderWay || verify.isPending;
  return (
    <>
      {error !== null && <ErrorNotice error={error} />}
      <Button variant="default" disabled={isBusy} onClick={() => void start(true)}>
        {t('Verify all balances')}
      </Button>
      <Button
        disabled={isBusy}
        title={isUnderWay ? t('A verification is running') : undefined}
        onClick={() => void start(false)}
      >
        {t('Verify recent changes')}
      </Button>
    </>
  );
}
