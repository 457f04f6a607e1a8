import { Checkbox, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { approvePayeeMethod, endPayeeMethod } from '../../client/sdk.gen.ts';
import type { PayeeMethod } from '../../client/types.gen.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ReasonField } from '../../ui/reason-field.tsx';
import { t } from '../../ui/text.ts';
import { toast } from '../../ui/toast.ts';
import { useFormErrors } from '../../ui/use-form-errors.ts';
import { usePublisher } from '../session/session.ts';
import { MethodNote } from './method-note.tsx';

interface ChangeDialogProps {
  method: PayeeMethod;
  onClose(): void;
}

/** Approves a method that another person entered. */
export function ApproveDialog({ method, onClose }: ChangeDialogProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const [acceptsShared, setAccepts] = useState(false);
  const isShared = method.sharedWith.length > 0;
  const form = useFormErrors({
    shared: isShared && !acceptsShared ? t('Confirm that this is right, or reject the method.') : null,
  });
  const approve = async (): Promise<void> => {
    await approvePayeeMethod({
      path: { publisherId, methodId: method.methodId },
      body: { acceptsShared },
      throwOnError: true,
    });
    await queryClient.invalidateQueries();
    toast(t('Payout method approved'));
  };
  const close = useReloadingClose(onClose);
  return (
    <ConfirmDialog
      opened
      onClose={close}
      title={t('Approve {name}’s payout method?', { name: method.name })}
      action={t('Approve method')}
      onConfirm={approve}
      check={form.check}
    >
      <Stack gap="sm">
        <MethodNote method={method} />
        <Text size="sm">
          {t(
            'Check it against the creator’s message first. It replaces the current method right away, and payouts use it after the waiting period.',
          )}
        </Text>
        {isShared && (
          <Checkbox
            label={t('The creators may share this account')}
            checked={acceptsShared}
            error={form.errors.shared}
            onChange={({ currentTarget: { checked } }) => setAccepts(checked)}
          />
        )}
      </Stack>
    </ConfirmDialog>
  );
}

/** Asks for a reason and ends a method. */
export function EndDialog({ method, onClose }: ChangeDialogProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const form = useFormErrors({ reason: reason.trim() === '' ? t('Reason is required.') : null });
  const end = async (): Promise<void> => {
    await endPayeeMethod({
      path: { publisherId, methodId: method.methodId },
      body: { reason: reason.trim() },
      throwOnError: true,
    });
    await queryClient.invalidateQueries();
    toast(t('Payout method removed'));
  };
  const close = useReloadingClose(onClose);
  return (
    <ConfirmDialog
      opened
      onClose={close}
      title={t('Remove this payout method?')}
      action={t('Remove method')}
      isDangerous
      onConfirm={end}
      check={form.check}
    >
      <Stack gap="sm">
        <MethodNote method={method} />
        <Text size="sm">{t('New payouts won’t use it. Existing payouts keep it.')}</Text>
        <ReasonField value={reason} error={form.errors.reason} onChange={setReason} />
      </Stack>
    </ConfirmDialog>
  );
}

/** Reloads the method when the dialog closes, because another person may have approved or ended it. */
function useReloadingClose(onClose: () => void): () => void {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries();
    onClose();
  };
}
