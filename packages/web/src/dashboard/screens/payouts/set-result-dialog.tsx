import { NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { setPayoutResultsMutation } from '../../../client/@tanstack/react-query.gen.ts';
import type { LineResult, Payout, PayoutItem } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { typedAmount } from '../../../ui/typed-total.tsx';
import { usePublisher } from '../../session/session.ts';
import { isOwedAgain, resultWord } from './line-results.tsx';

interface SetResultDialogProps {
  opened: boolean;
  onClose(): void;
  payout: Payout;
  items: readonly PayoutItem[];
  /** Results that all of the lines can have; at least one while the dialog is open. */
  choices: readonly LineResult[];
  onDone(): void;
}

/** Sets one result for the selected lines. A result that makes money due again can't be undone. */
export function SetResultDialog({ opened, onClose, payout, items, choices, onDone }: SetResultDialogProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const set = useMutation(setPayoutResultsMutation());
  const [chosen, setChosen] = useState<LineResult | null>(null);
  const [note, setNote] = useState('');
  const { payoutId, currency } = payout;
  const result = chosen !== null && choices.includes(chosen) ? chosen : (choices[0] ?? 'Sent');
  const sum = String(items.reduce((total, { amountMinor }) => total + BigInt(amountMinor), 0n));
  const isBack = isOwedAgain(result);
  const confirm = async (): Promise<void> => {
    await set.mutateAsync({
      path: { publisherId, payoutId },
      body: {
        results: items.map(({ reference }) => ({
          reference,
          result,
          ...(note.trim() !== '' && { note: note.trim() }),
        })),
        isDryRun: false,
        owedAgainMinor: isBack ? sum : '0',
      },
    });
    toast(
      t('{count, plural, one {# payment} other {# payments}} set to {result}', {
        count: items.length,
        result: resultWord(result),
      }),
    );
    setNote('');
    setChosen(null);
    onDone();
    await queryClient.invalidateQueries();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('Set the result of {count, plural, one {# payment} other {# payments}}', {
        count: items.length,
      })}
      action={t('Set result')}
      isDangerous={isBack}
      typed={isBack ? typedAmount(sum, currency) : undefined}
      onConfirm={confirm}
    >
      <Stack gap="sm">
        <NativeSelect
          label={t('Result')}
          value={result}
          data={choices.map((each) => ({ value: each as string, label: resultWord(each) }))}
          onChange={({ currentTarget: { value } }) => setChosen(value as LineResult)}
        />
        <Text size="sm">{meaningOf(result, formatMoney(sum, currency))}</Text>
        <TextInput
          label={t('Note to the creator')}
          description={t('For example, the bank’s reason. The creator sees it in the portal.')}
          value={note}
          maxLength={500}
          onChange={({ currentTarget: { value } }) => setNote(value)}
        />
      </Stack>
    </ConfirmDialog>
  );
}

function meaningOf(result: LineResult, total: string): string {
  switch (result) {
    case 'Sent':
      return t('The bank or provider accepted the payment. “Mark as paid” doesn’t change this result.');
    case 'Paid':
      return t('The creator received the money.');
    case 'Failed':
      return t('The payment didn’t go through. {total} is owed again and will be added to the next payout.', {
        total,
      });
    case 'Returned':
      return t(
        'The payment went through, but the money came back. {total} is owed again and will be added to the next payout.',
        {
          total,
        },
      );
  }
}
