import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { exponentOf } from './currencies.ts';
import { formatMoney } from './money.tsx';
import {
  type Bounds,
  type Problem,
  percentDecimals,
  readAmount,
  readPercent,
  readWhole,
} from './read-number.ts';
import { t } from './text.ts';

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'error' | 'type'> {
  /** Text as typed. The field never rewrites it. */
  value: string;
  bounds: Bounds;
  onChange(value: string): void;
}

/** Field for a percentage. Its text is parsed by `readPercent`, with the same bounds. */
export function PercentInput({ value, bounds, ...field }: NumberFieldProps) {
  const { problem } = readPercent(value, bounds);
  return (
    <Field
      {...field}
      value={value}
      inputMode="decimal"
      rightSection="%"
      rightSectionPointerEvents="none"
      error={problem === null ? null : percentMessage(problem, bounds)}
    />
  );
}

interface WholeInputProps extends NumberFieldProps {
  /** Message of the form, such as for an empty field. A mistake in the text comes first. */
  error?: ReactNode;
}

/** Field for a whole number. Its text is parsed by `readWhole`, with the same bounds. */
export function WholeInput({ value, bounds, error, ...field }: WholeInputProps) {
  const { problem } = readWhole(value, bounds);
  return (
    <Field
      {...field}
      value={value}
      inputMode="numeric"
      error={(problem === null ? null : wholeMessage(problem, bounds)) ?? error}
    />
  );
}

interface MoneyInputProps extends NumberFieldProps {
  /** Currency code; empty if no currency is chosen yet, in which case the text isn't validated. */
  currency: string;
}

/** Field for an amount. Its text is parsed by `readAmount`, with the same bounds, in minor units. */
export function MoneyInput({ value, bounds, currency, ...field }: MoneyInputProps) {
  const { problem } = readAmount(value, currency, bounds);
  return (
    <Field
      {...field}
      value={value}
      inputMode="decimal"
      error={problem === null || currency === '' ? null : moneyMessage(problem, currency, bounds)}
    />
  );
}

interface FieldProps extends Omit<TextInputProps, 'onChange'> {
  onChange(value: string): void;
}

const Field = ({ onChange, ...props }: FieldProps) => (
  <TextInput
    autoComplete="off"
    inputWrapperOrder={['label', 'description', 'input', 'error']}
    {...props}
    onChange={({ currentTarget: { value } }) => onChange(value)}
  />
);

function percentMessage(problem: Problem, { min, max }: Bounds): string | null {
  switch (problem) {
    case 'empty':
      return null;
    case 'decimals':
      return t('Use at most {decimals} decimal places', { decimals: percentDecimals });
    case 'negative':
    case 'range':
      return t('Enter a percentage from {min} to {max}', { min: String(min), max: String(max) });
    default:
      return t('Enter a percentage, such as 12.5');
  }
}

function wholeMessage(problem: Problem, { min, max }: Bounds): string | null {
  switch (problem) {
    case 'empty':
      return null;
    case 'negative':
    case 'range':
      return t('Enter a number from {min, number} to {max, number}', { min: Number(min), max: Number(max) });
    default:
      return t('Enter a whole number, such as 30');
  }
}

function moneyMessage(problem: Problem, currency: string, { min, max }: Bounds): string | null {
  switch (problem) {
    case 'empty':
      return null;
    case 'decimals':
      return t(
        '{currency} has {decimals, plural, =0 {no decimal places} one {# decimal place} other {# decimal places}}',
        { currency, decimals: exponentOf(currency) ?? 0 },
      );
    case 'unclear':
      return t('The comma is ambiguous. Use a period for decimals, and no commas');
    case 'currency':
      return t('Enter an amount in {currency}', { currency });
    case 'negative':
    case 'range':
      return t('Enter an amount from {min} to {max}', {
        min: formatMoney(String(min), currency),
        max: formatMoney(String(max), currency),
      });
    default:
      return t('Enter an amount in {currency}, such as {example}', {
        currency,
        example: formatMoney('5000', currency),
      });
  }
}
