import { List, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { reverseTransaction } from '../../../client/sdk.gen.ts';
import type { RowOutcome, TransactionDetail } from '../../../client/types.gen.ts';
import { ApiFailure } from '../../../ui/api-failure.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { Unsaved } from '../../../ui/unsaved.tsx';
import { usePublisher } from '../../session/session.ts';
import type { RowOutcomes } from './outcomes.tsx';

interface ReverseDialogProps {
  detail: TransactionDetail;
  opened: boolean;
  onClose(): void;
  onDone(outcomes: RowOutcomes): void;
}

type Action = 'Refund' | 'Fraud' | 'Chargeback';

/** Asks for a reason before reversing a purchase, and lists the shares that will be taken back. */
export function ReverseDialog({ detail, opened, onClose, onDone }: ReverseDialogProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const [action, setAction] = useState<Action>('Refund');
  const [reason, setReason] = useState('');
  const { transactionId } = detail;
  const earning = detail.rows.filter(({ row, state }) => row.status === 'Normal' && state !== 'test');
  const reverse = async (): Promise<void> => {
    try {
      const { data } = await reverseTransaction({
        path: { publisherId, transactionId },
        body: { action, ...(reason.trim() !== '' && { reason: reason.trim() }) },
        throwOnError: true,
      });
      onDone({ rows: data.rows, error: null });
      toast(t('Purchase {transactionId} reversed', { transactionId }));
    } catch (error) {
      // The reversal stopped at one row. Earlier rows have been reversed, so the outcome is shown for each
      // row.
      const rows = error instanceof ApiFailure ? error.facts.rows : undefined;
      if (!Array.isArray(rows)) throw error;
      onDone({ rows: rows as RowOutcome[], error });
      toast(t('Purchase {transactionId} partly reversed', { transactionId }));
    } finally {
      await queryClient.invalidateQueries();
    }
  };
  const close = (): void => {
    setReason('');
    onClose();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={t('Reverse {transaction}?', { transaction: transactionId })}
      action={t('{count, plural, one {Reverse purchase} other {Reverse # transactions}}', {
        count: detail.rows.length,
      })}
      onConfirm={reverse}
      isDangerous
    >
      <Stack gap="sm">
        <Unsaved values={{ action, reason }} />
        <Text size="sm">
          {t(
            'Transactions are reversed in order. If one was already paid out, it and the ones after it stay unchanged.',
          )}
        </Text>
        {earning.length > 0 && (
          <List size="sm" aria-label={t('Amounts to reverse')}>
            {earning.map(({ row, explanation, refunds }) => (
              <List.Item key={row.attributionId}>
                {t('{amount} from {creator}', {
                  amount: formatMoney(leftOfShare(explanation.shareMinor, refunds), explanation.currency),
                  creator: row.creator.name,
                })}
              </List.Item>
            ))}
          </List>
        )}
        <NativeSelect
          label={t('Reason')}
          data={[
            { value: 'Refund', label: t('Refund') },
            { value: 'Fraud', label: t('Fraud') },
            { value: 'Chargeback', label: t('Chargeback') },
          ]}
          value={action}
          onChange={({ currentTarget: { value } }) => setAction(value as Action)}
        />
        <TextInput
          label={t('Note for the audit log')}
          maxLength={2_000}
          value={reason}
          onChange={({ currentTarget: { value } }) => setReason(value)}
        />
      </Stack>
    </ConfirmDialog>
  );
}

/** Returns what is left of a share after partial refunds. */
const leftOfShare = (shareMinor: string, refunds: readonly { shareMinor: string }[]): string =>
  String(refunds.reduce((left, refund) => left - BigInt(refund.shareMinor), BigInt(shareMinor)));
