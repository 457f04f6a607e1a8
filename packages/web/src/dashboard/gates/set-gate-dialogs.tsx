import { Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { setGate } from '../../client/sdk.gen.ts';
import type { NewGate } from '../../client/types.gen.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DateInput } from '../../ui/dates/date-input.tsx';
import { fromField } from '../../ui/dates/datetime-field.ts';
import { usePreferences } from '../../ui/preferences.ts';
import { t } from '../../ui/text.ts';
import { toast } from '../../ui/toast.ts';
import { Unsaved } from '../../ui/unsaved.tsx';
import { useFormErrors } from '../../ui/use-form-errors.ts';
import { usePublisher } from '../session/session.ts';

interface SetGateDialogProps {
  creator: { memberId: string; name: string };
  onClose(): void;
}

const maxNote = 500;
const dayMs = 86_400_000;
const noDate = { value: '', text: '' };

/** Records that a creator's tax form is in order, and for which days. */
export function ClearTaxDialog({ creator: { memberId, name }, onClose }: SetGateDialogProps) {
  const set = useSetGate(memberId);
  const { nowMs } = usePublisher();
  const [note, setNote] = useState('');
  const [from, setFrom] = useState(noDate);
  const [until, setUntil] = useState(noDate);
  const fromMs = from.value === '' ? null : Date.parse(from.value);
  const untilMs = until.value === '' ? null : Date.parse(until.value) + dayMs;
  const form = useFormErrors({
    note: note.trim() === '' ? t('Describe the form, such as “W-8BEN 2026-03”.') : null,
    from: from.text.trim() !== '' && fromMs === null ? t('Enter a date, or leave this empty.') : null,
    until:
      until.text.trim() !== '' && untilMs === null
        ? t('Enter a date, or leave this empty.')
        : untilMs !== null && untilMs <= nowMs()
          ? t('This day has passed.')
          : untilMs !== null && fromMs !== null && untilMs <= fromMs
            ? t('The last day is before the first day.')
            : null,
  });
  const save = async (): Promise<void> => {
    await set({
      kind: 'tax',
      note: note.trim(),
      ...(fromMs !== null && { from: new Date(fromMs).toISOString() }),
      ...(untilMs !== null && { until: new Date(untilMs).toISOString() }),
    });
    toast(t('Tax clearance added'));
  };
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t('Add a tax clearance for {name}', { name })}
      action={t('Add clearance')}
      onConfirm={save}
      check={form.check}
    >
      <Stack gap="sm">
        <Unsaved values={{ note, from, until }} />
        <Text size="sm">
          {t(
            'Confirms that the creator’s tax form is in order. Needed only if payouts require a tax clearance. The form itself isn’t stored here.',
          )}
        </Text>
        <Textarea
          label={t('Note')}
          description={t('Type of form and where it’s kept. Don’t enter a tax number.')}
          name="note"
          maxLength={maxNote}
          autosize
          value={note}
          data-autofocus
          error={form.errors.note}
          onChange={({ currentTarget: { value } }) => setNote(value)}
        />
        <DateInput
          label={t('Last day')}
          description={t('In UTC. Leave empty if it doesn’t expire.')}
          name="until"
          value={until.value}
          error={form.errors.until}
          onChange={(value, text) => setUntil({ value, text })}
        />
        <DateInput
          label={t('First day')}
          description={t('Optional. The default is today.')}
          name="from"
          value={from.value}
          error={form.errors.from}
          onChange={(value, text) => setFrom({ value, text })}
        />
      </Stack>
    </ConfirmDialog>
  );
}

/** Puts a creator under review. */
export function ReviewDialog({ creator: { memberId, name }, onClose }: SetGateDialogProps) {
  const set = useSetGate(memberId);
  const { nowMs } = usePublisher();
  const { zone } = usePreferences();
  const [note, setNote] = useState('');
  const [until, setUntil] = useState(noDate);
  const untilMs = fromField(until.value, zone);
  const form = useFormErrors({
    note: note.trim() === '' ? t('Enter what’s being checked.') : null,
    until:
      until.text.trim() !== '' && untilMs === null
        ? t('Enter a date and time, or leave this empty.')
        : untilMs !== null && untilMs <= nowMs()
          ? t('This time has passed.')
          : null,
  });
  const save = async (): Promise<void> => {
    await set({
      kind: 'review',
      note: note.trim(),
      ...(untilMs !== null && { until: new Date(untilMs).toISOString() }),
    });
    toast(t('{name} is under review', { name }));
  };
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t('Start a review of {name}?', { name })}
      action={t('Start review')}
      onConfirm={save}
      check={form.check}
    >
      <Stack gap="sm">
        <Unsaved values={{ note, until }} />
        <Text size="sm">
          {t('Payouts skip this creator in all groups until the review ends. The balance doesn’t change.')}
        </Text>
        <Textarea
          label={t('Note')}
          name="note"
          maxLength={maxNote}
          autosize
          minRows={2}
          value={note}
          data-autofocus
          error={form.errors.note}
          onChange={({ currentTarget: { value } }) => setNote(value)}
        />
        <DateInput
          label={t('Until')}
          description={t('Optional. The review ends automatically at this time.')}
          name="until"
          withTime
          value={until.value}
          error={form.errors.until}
          onChange={(value, text) => setUntil({ value, text })}
        />
      </Stack>
    </ConfirmDialog>
  );
}

function useSetGate(memberId: string): (body: NewGate) => Promise<void> {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  return async (body) => {
    await setGate({ path: { publisherId, memberId }, body, throwOnError: true });
    await queryClient.invalidateQueries();
  };
}
