import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { t } from './text.ts';

interface DateInputProps extends Omit<TextInputProps, 'type' | 'onChange'> {
  type: 'date' | 'datetime-local';
  onChange(value: string): void;
}

/** A date or a moment. A browser gives one that is half typed as none: `isWhole` has it say so. */
export function DateInput({ onChange, error, ...field }: DateInputProps) {
  const [isHalf, setHalf] = useState(false);
  return (
    <TextInput
      {...field}
      error={isHalf ? t('Enter the whole date, or none.') : error}
      onInvalid={() => setHalf(true)}
      onChange={({ currentTarget: { value, validity } }) => {
        setHalf(validity.badInput);
        onChange(value);
      }}
      onBlur={({ currentTarget: { validity } }) => setHalf((was) => was && validity.badInput)}
    />
  );
}

/** Focuses the first date of a form that is half typed. @returns whether none is */
export function isWhole(form: HTMLFormElement): boolean {
  const half = [...form.querySelectorAll('input')].find(({ validity }) => validity.badInput);
  half?.focus();
  return half?.checkValidity() ?? true;
}
