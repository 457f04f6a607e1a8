import { NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refundPartOfTransaction } from '../../../client/sdk.gen.ts';
import type { TransactionDetail } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { MoneyInput } from '../../../ui/number-input.tsx';
import { readAmount } from '../../../ui/read-number.ts';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { Unsaved } from '../../../ui/unsaved.tsx';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { usePublisher } from '../../session/session.ts';

interface RefundDialogProps {
  detail: TransactionDetail;
  opened: boolean;
  onClose(): void;
}

type Action = 'Refund' | 'Fraud' | 'Chargeback';
type Row = TransactionDetail['rows'][number]['row'];

export const leftOf = ({ subtotalMinor, refundedMinor }: Row): bigint =>
  BigInt(subtotalMinor) - BigInt(refundedMinor);

/** Returns the rows that can be partly refunded. */
export const refundable = (detail: TransactionDetail): Row[] =>
  detail.rows.flatMap(({ row, state }) =>
    row.status === 'Normal' && state !== 'test' && !row.isPaid && leftOf(row) > 0n ? [row] : [],
  );

/** Asks how much of a purchase was refunded, and why. Submitting the same form twice refunds only once. */
export function RefundDialog({ detail, opened, onClose }: RefundDialogProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const [refundId, setRefundId] = useState(newRefundId);
  const [chosen, setChosen] = useState('');
  const [typed, setTyped] = useState('');
  const [action, setAction] = useState<Action>('Refund');
  const [reason, setReason] = useState('');
  const { transactionId } = detail;
  const rows = refundable(detail);
  // An amount can't be spread over several currencies, or over a row that was paid out.
  const isSpreadable =
    rows.every(({ currency }) => currency === rows[0]?.currency) &&
    detail.rows.every(({ row, state }) => row.status !== 'Normal' || state === 'test' || !row.isPaid);
  const named = rows.find(({ attributionId }) => attributionId === chosen) ?? (isSpreadable ? null : rows[0]);
  const currency = (named ?? rows[0])?.currency ?? '';
  const left = named ? leftOf(named) : rows.reduce((sum, row) => sum + leftOf(row), 0n);
  const bounds = { min: 1n, max: left };
  const amount = readAmount(typed, currency, bounds).value;
  const form = useFormErrors({
    amount: amount === null ? t('Enter no more than the amount left.') : null,
  });
  const close = (): void => {
    setRefundId(newRefundId());
    setTyped('');
    setReason('');
    form.reset();
    onClose();
  };
  const refund = async (): Promise<void> => {
    await refundPartOfTransaction({
      path: { publisherId, transactionId },
      body: {
        refundId,
        amountMinor: String(amount),
        ...(named && { row: named.attributionId }),
        action,
        ...(reason.trim() !== '' && { reason: reason.trim() }),
      },
      throwOnError: true,
    });
    await queryClient.invalidateQueries();
    toast(
      t('{amount} of {transactionId} refunded', {
        amount: formatMoney(String(amount), currency),
        transactionId,
      }),
    );
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={t('Partially refund {transaction}?', { transaction: transactionId })}
      action={t('Refund partially')}
      onConfirm={refund}
      check={form.check}
      isDangerous
    >
      <Stack gap="sm">
        <Unsaved values={{ chosen, typed, action, reason }} />
        <Text size="sm">
          {t('Enter an amount without tax, up to {left}. What the creator earned is reduced in proportion.', {
            left: formatMoney(String(left), currency),
          })}
        </Text>
        {rows.length > 1 && (
          <NativeSelect
            label={t('Transaction')}
            data={[
              ...(isSpreadable ? [{ value: '', label: t('All transactions, in proportion') }] : []),
              ...rows.map((row) => ({
                value: row.attributionId,
                label: `${row.creator.name}, ${formatMoney(String(leftOf(row)), row.currency)}`,
              })),
            ]}
            value={named?.attributionId ?? ''}
            onChange={({ currentTarget: { value } }) => setChosen(value)}
          />
        )}
        <MoneyInput
          label={t('Amount in {currency}', { currency })}
          name="amount"
          value={typed}
          bounds={bounds}
          currency={currency}
          data-autofocus
          onChange={setTyped}
        />
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

/** Returns an id for a refund made by staff. Works without a secure context, unlike `randomUUID`. */
const newRefundId = (): string =>
  `dashboard-${Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('')}`;
