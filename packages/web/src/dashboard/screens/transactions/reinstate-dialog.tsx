import { Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { reinstateRefundOfTransaction } from '../../../client/sdk.gen.ts';
import type { TransactionDetail } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ReasonField } from '../../../ui/reason-field.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { Unsaved } from '../../../ui/unsaved.tsx';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { usePublisher } from '../../session/session.ts';
import { amountsOf, type Refund } from './refund-words.ts';

interface ReinstateDialogProps {
  detail: TransactionDetail;
  refund: Refund;
  onClose(): void;
}

/** Asks for the reason for reinstating a refund, and gives back what it took. */
export function ReinstateDialog({ detail, refund, onClose }: ReinstateDialogProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const form = useFormErrors({ reason: reason.trim() === '' ? t('Reason is required.') : null });
  const { transactionId } = detail;
  const isPaid = detail.rows.some(
    ({ row }) => row.isPaid && refund.rows.some(({ attributionId }) => attributionId === row.attributionId),
  );
  // Another reversal that takes back everything keeps the purchase reversed.
  const isCovered = detail.refunds.some(
    (other) =>
      other !== refund &&
      other.source === 'StatusChange' &&
      other.reinstatedAt === null &&
      other.rows.some(({ attributionId }) => refund.rows.some((row) => row.attributionId === attributionId)),
  );
  const reinstate = async (): Promise<void> => {
    await reinstateRefundOfTransaction({
      path: { publisherId, transactionId, refundId: refund.refundId },
      body: { reason: reason.trim() },
      throwOnError: true,
    });
    await queryClient.invalidateQueries();
    toast(t('Refund of {transactionId} reinstated', { transactionId }));
  };
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t('Reinstate this refund of {transaction}?', { transaction: transactionId })}
      action={t('Reinstate')}
      onConfirm={reinstate}
      check={form.check}
    >
      <Stack gap="sm">
        <Unsaved values={{ reason }} />
        <Text size="sm">
          {isCovered
            ? t('The purchase stays reversed because another status change is still in effect.')
            : isPaid
              ? t(
                  'Use this if you kept the buyer’s money after all. The share was already paid, so about {share} is added to the creator’s next payout.',
                  { share: amountsOf(refund, 'shareMinor') },
                )
              : t(
                  'Use this if you kept the buyer’s money after all. The creator gets back {share}, and the purchase counts again.',
                  { share: amountsOf(refund, 'shareMinor') },
                )}
        </Text>
        <Text size="sm">{t('This can’t be undone, but the purchase can be refunded again.')}</Text>
        <ReasonField
          value={reason}
          description={t('Stored in the audit log.')}
          error={form.errors.reason}
          onChange={setReason}
        />
      </Stack>
    </ConfirmDialog>
  );
}
