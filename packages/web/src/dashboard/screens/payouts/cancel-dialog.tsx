import { Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { cancelPayoutMutation } from '../../../client/@tanstack/react-query.gen.ts';
import type { Payout } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { Unsaved } from '../../../ui/unsaved.tsx';
import { usePublisher } from '../../session/session.ts';

interface CancelDialogProps {
  opened: boolean;
  onClose(): void;
  payout: Payout;
}

export function CancelDialog({ opened, onClose, payout }: CancelDialogProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const cancel = useMutation(cancelPayoutMutation());
  const { payoutId, totalMinor, currency, memberCount } = payout;
  const close = (): void => {
    setReason('');
    onClose();
  };
  const confirm = async (): Promise<void> => {
    await cancel.mutateAsync({
      path: { publisherId, payoutId },
      body: reason.trim() === '' ? {} : { reason: reason.trim() },
    });
    toast(t('Payout of {total} canceled', { total: formatMoney(totalMinor, currency) }));
    await queryClient.invalidateQueries();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={t('Cancel the payout of {total}?', { total: formatMoney(totalMinor, currency) })}
      action={t('Cancel payout')}
      dismiss={t('Keep payout')}
      isDangerous
      onConfirm={confirm}
    >
      <Stack gap="sm">
        <Unsaved values={reason} />
        <Text size="sm">
          {t(
            'Cancel only if no money was sent. The amounts for {count, plural, one {# creator} other {# creators}} become due again, and the purchases can be refunded again.',
            { count: memberCount },
          )}
        </Text>
        <TextInput
          label={t('Reason')}
          description={t('Stored in the audit log.')}
          value={reason}
          maxLength={2_000}
          onChange={({ currentTarget: { value } }) => setReason(value)}
        />
      </Stack>
    </ConfirmDialog>
  );
}
