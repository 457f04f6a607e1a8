import { Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { releaseHold } from '../../client/sdk.gen.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ReasonField } from '../../ui/reason-field.tsx';
import { t } from '../../ui/text.ts';
import { toast } from '../../ui/toast.ts';
import { Unsaved } from '../../ui/unsaved.tsx';
import { useFormErrors } from '../../ui/use-form-errors.ts';
import { usePublisher } from '../session/session.ts';

interface ReleaseDialogProps {
  /** Holds to release together; empty while the dialog is closed. */
  holds: readonly { holdId: string; reason: string }[];
  onClose(): void;
}

/** Asks for a reason to release holds. The next payout includes the held amounts. */
export function ReleaseDialog({ holds, onClose }: ReleaseDialogProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const form = useFormErrors({ reason: reason.trim() === '' ? t('Reason is required.') : null });
  const close = (): void => {
    setReason('');
    form.reset();
    onClose();
  };
  const release = async (): Promise<void> => {
    try {
      for (const { holdId } of holds)
        await releaseHold({
          path: { publisherId, holdId },
          body: { reason: reason.trim() },
          throwOnError: true,
        });
    } finally {
      await queryClient.invalidateQueries();
    }
    toast(t('Hold released'));
  };
  return (
    <ConfirmDialog
      opened={holds.length > 0}
      onClose={close}
      title={t('Release {count, plural, one {this hold} other {# holds}}?', { count: holds.length })}
      action={t('Release')}
      onConfirm={release}
      check={form.check}
    >
      <Stack gap="sm">
        <Unsaved values={{ reason }} />
        <Text size="sm">{t('The next payout includes these amounts, no matter how old they are.')}</Text>
        {holds.map(({ holdId, reason: placedFor }) => (
          <Text key={holdId} size="sm" c="dimmed">
            {t('Reason: {reason}', { reason: placedFor })}
          </Text>
        ))}
        <ReasonField value={reason} error={form.errors.reason} onChange={setReason} />
      </Stack>
    </ConfirmDialog>
  );
}
