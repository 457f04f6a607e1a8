import { Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { endGate } from '../../client/sdk.gen.ts';
import type { Gate } from '../../client/types.gen.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ReasonField } from '../../ui/reason-field.tsx';
import { t } from '../../ui/text.ts';
import { toast } from '../../ui/toast.ts';
import { Unsaved } from '../../ui/unsaved.tsx';
import { useFormErrors } from '../../ui/use-form-errors.ts';
import { usePublisher } from '../session/session.ts';
import { GateNote } from './gate-note.tsx';

/** Asks for a reason, and ends a review or revokes a tax clearance. */
export function EndGateDialog({ gate, onClose }: { gate: Gate; onClose(): void }) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const form = useFormErrors({ reason: reason.trim() === '' ? t('Reason is required.') : null });
  const isReview = gate.kind === 'review';
  const end = async (): Promise<void> => {
    await endGate({
      path: { publisherId, gateId: gate.gateId },
      body: { reason: reason.trim() },
      throwOnError: true,
    });
    await queryClient.invalidateQueries();
    toast(isReview ? t('Review of {name} ended', gate) : t('Tax clearance of {name} revoked', gate));
  };
  /** Reloads the gate when the dialog closes, because another person may have ended it. */
  const close = (): void => {
    void queryClient.invalidateQueries();
    onClose();
  };
  return (
    <ConfirmDialog
      opened
      onClose={close}
      title={isReview ? t('End the review of {name}?', gate) : t('Revoke {name}’s tax clearance?', gate)}
      action={isReview ? t('End review') : t('Revoke clearance')}
      isDangerous={!isReview}
      onConfirm={end}
      check={form.check}
    >
      <Stack gap="sm">
        <Unsaved values={{ reason }} />
        <div>
          <GateNote gate={gate} />
        </div>
        <Text size="sm">
          {isReview
            ? t('The next payout includes what the creator is due, unless something else blocks it.')
            : t('If payouts require a tax clearance, new payouts skip this creator.')}
        </Text>
        <ReasonField value={reason} error={form.errors.reason} onChange={setReason} />
      </Stack>
    </ConfirmDialog>
  );
}
