import { Textarea } from '@mantine/core';
import { t } from './text.ts';

interface ReasonFieldProps {
  value: string;
  error: string | null | undefined;
  description?: string;
  onChange(value: string): void;
}

/** Field for the reason that a confirmation requires. Opening the dialog focuses it. */
export const ReasonField = ({ value, error, description, onChange }: ReasonFieldProps) => (
  <Textarea
    label={t('Reason')}
    description={description}
    name="reason"
    maxLength={500}
    autosize
    minRows={2}
    value={value}
    data-autofocus
    error={error}
    onChange={({ currentTarget: { value: text } }) => onChange(text)}
  />
);
