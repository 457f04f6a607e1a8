import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { verifyLedgerMutation } from '../../../client/@tanstack/react-query.gen.ts';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { usePublisher } from '../../session/session.ts';

/** Returns a function that requests a verification of everything, or only of changes since the last one. */
export function useVerification() {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const verify = useMutation(verifyLedgerMutation());
  const [error, setError] = useState<unknown>(null);
  const start = async (all: boolean): Promise<void> => {
    setError(null);
    try {
      await verify.mutateAsync({ path: { publisherId }, body: { all } });
      toast(all ? t('Verification of all balances queued') : t('Verification of recent changes queued'));
      await queryClient.invalidateQueries();
    } catch (thrown) {
      setError(thrown);
    }
  };
  return { start, error, isPending: verify.isPending };
}

interface VerifyProps {
  /** True while a verification is requested or running. */
  isBusy: boolean;
  onStart(all: boolean): Promise<void>;
}

/** First verification. There is nothing yet that changes could be counted from, so it checks everything. */
export const VerifyFirst = ({ isBusy, onStart }: VerifyProps) => (
  <Button
    disabled={isBusy}
    title={isBusy ? t('A verification is running') : undefined}
    onClick={() => void onStart(true)}
  >
    {t('Verify the ledger')}
  </Button>
);

export const VerifyAll = ({ isBusy, onStart }: VerifyProps) => (
  <Button variant="default" disabled={isBusy} onClick={() => void onStart(true)}>
    {t('Verify all balances')}
  </Button>
);

export const VerifyRecent = ({ isBusy, onStart }: VerifyProps) => (
  <Button
    disabled={isBusy}
    title={isBusy ? t('A verification is running') : undefined}
    onClick={() => void onStart(false)}
  >
    {t('Verify recent changes')}
  </Button>
);
