import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { t } from './text.ts';

interface DateInputProps extends Omit<TextInputProps, 'type' | 'onChange'> {
  type: 'date' | 'datetime-local';
  onChange(value: string): void;
}

/** Field for a date, or a date and time. Browsers report a half-typed value as empty; the field then shows an error. */
export function DateInput({ onChange, error, ...field }: DateInputProps) {
  const [isIncomplete, setIncomplete] = useState(false);
  return (
    <TextInput
      {...field}
      error={isIncomplete ? t('Enter a complete date, or leave it empty.') : error}
      onInvalid={() => setIncomplete(true)}
      onChange={({ currentTarget: { value, validity } }) => {
        setIncomplete(validity.badInput);
        onChange(value);
      }}
      onBlur={({ currentTarget: { validity } }) => setIncomplete((was) => was && validity.badInput)}
    />
  );
}

/** Focuses the first half-typed date in a form. @returns whether all dates are complete */
export function hasCompleteDates(form: HTMLFormElement): boolean {
  const incomplete = [...form.querySelectorAll('input')].find(({ validity }) => validity.badInput);
  incomplete?.focus();
  return incomplete?.checkValidity() ?? true;
}
