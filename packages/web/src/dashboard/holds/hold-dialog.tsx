import { NativeSelect, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DateInput } from '../../ui/dates/date-input.tsx';
import { fromField } from '../../ui/dates/datetime-field.ts';
import { usePreferences } from '../../ui/preferences.ts';
import { ReasonField } from '../../ui/reason-field.tsx';
import { t } from '../../ui/text.ts';
import { toast } from '../../ui/toast.ts';
import { Unsaved } from '../../ui/unsaved.tsx';
import { useFormErrors } from '../../ui/use-form-errors.ts';

/** Terms of a hold, as the API expects them. */
export interface HoldTerms {
  reason: string;
  endsAt?: string;
}

interface HoldDialogProps {
  opened: boolean;
  title: string;
  /** Description of what the hold keeps out of payouts. */
  about: string;
  /** Parts that can be held separately; the first one is selected by default. */
  choices?: { label: string; data: { value: string; label: string }[] } | undefined;
  /** Places the hold. @param choice value of the chosen part; empty without choices */
  place(terms: HoldTerms, choice: string): Promise<unknown>;
  onClose(): void;
}

/** Asks for a hold's reason and end. */
export function HoldDialog({ opened, title, about, choices, place, onClose }: HoldDialogProps) {
  const queryClient = useQueryClient();
  const { zone } = usePreferences();
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  const [typed, setTyped] = useState('');
  const [choice, setChoice] = useState('');
  const endsAtMs = fromField(until, zone);
  const form = useFormErrors({
    reason: reason.trim() === '' ? t('Reason is required.') : null,
    until: typed.trim() !== '' && endsAtMs === null ? t('Enter a date and time, or leave this empty.') : null,
  });
  const close = (): void => {
    setReason('');
    setUntil('');
    setTyped('');
    setChoice('');
    form.reset();
    onClose();
  };
  const confirm = async (): Promise<void> => {
    const terms = {
      reason: reason.trim(),
      ...(endsAtMs !== null && { endsAt: new Date(endsAtMs).toISOString() }),
    };
    await place(terms, choice === '' ? (choices?.data[0]?.value ?? '') : choice);
    await queryClient.invalidateQueries();
    toast(t('Hold placed'));
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={title}
      action={t('Place hold')}
      onConfirm={confirm}
      check={form.check}
    >
      <Stack gap="sm">
        <Unsaved values={{ reason, until, choice }} />
        <Text size="sm">{about}</Text>
        {choices !== undefined && choices.data.length > 1 && (
          <NativeSelect
            label={choices.label}
            data={choices.data}
            value={choice}
            onChange={({ currentTarget: { value } }) => setChoice(value)}
          />
        )}
        <ReasonField value={reason} error={form.errors.reason} onChange={setReason} />
        <DateInput
          label={t('Until')}
          description={t('Optional. The hold ends automatically at this time.')}
          name="until"
          withTime
          value={until}
          error={form.errors.until}
          onChange={(value, text) => {
            setUntil(value);
            setTyped(text);
          }}
        />
      </Stack>
    </ConfirmDialog>
  );
}
