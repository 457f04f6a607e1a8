import { TextInput, type TextInputProps } from '@mantine/core';
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
  /** Text as it was typed, which the field never rewrites. */
  value: string;
  bounds: Bounds;
  onChange(value: string): void;
}

/** A share in percent. Its text is read by `readPercent`, with the same bounds. */
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
  /** Message while it is empty, which no number is told of by itself. */
  lack?: string | undefined;
}

/** A whole number. Its text is read by `readWhole`, with the same bounds. */
export function WholeInput({ value, bounds, lack, ...field }: WholeInputProps) {
  const { problem } = readWhole(value, bounds);
  return (
    <Field
      {...field}
      value={value}
      inputMode="numeric"
      error={problem === null ? null : (wholeMessage(problem, bounds) ?? lack)}
    />
  );
}

interface MoneyInputProps extends NumberFieldProps {
  /** Empty while none is chosen; until then the text is not judged. */
  currency: string;
}

/** An amount of a currency. Its text is read by `readAmount`, with the same bounds, which are in minor units. */
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
      return t('Use at most {decimals} decimals', { decimals: percentDecimals });
    case 'negative':
    case 'range':
      return t('Enter {min} to {max} %', { min: String(min), max: String(max) });
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
      return t('Enter {min, number} to {max, number}', { min: Number(min), max: Number(max) });
    default:
      return t('Enter a whole number, such as 30');
  }
}

function moneyMessage(problem: Problem, currency: string, { min, max }: Bounds): string | null {
  switch (problem) {
    case 'empty':
      return null;
    case 'decimals':
      return t('{currency} has {decimals, plural, =0 {no decimals} one {# decimal} other {# decimals}}', {
        currency,
        decimals: exponentOf(currency) ?? 0,
      });
    case 'unclear':
      return t('The comma could mark thousands or decimals: use a point for decimals, and no comma');
    case 'currency':
      return t('Enter an amount in {currency}', { currency });
    case 'negative':
    case 'range':
      return t('Enter {min} to {max}', {
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
