import { TextInput } from '@mantine/core';
import { formatAmount } from './money.tsx';
import { readAmount, readWhole } from './read-number.ts';
import { t } from './text.ts';

/** Total to type before an action that can't be undone. */
export interface TypedTotal {
  /** Total as the screen shows it. */
  shown: string;
  /** Returns whether the text is the total, in any notation. */
  isTyped(typed: string): boolean;
}

/** Returns a total to type. For 647.85 USD, it accepts `647,85`, `647.85 USD` and `$647.85`. */
export function typedAmount(minor: string, currency: string): TypedTotal {
  const shown = formatAmount(minor, currency);
  return {
    shown,
    isTyped: (typed) =>
      typed.trim() === shown || String(readAmount(typed, currency).value) === minor.replace(/^0+(?=\d)/, ''),
  };
}

export const typedCount = (count: number): TypedTotal => ({
  shown: String(count),
  isTyped: (typed) => readWhole(typed, { min: BigInt(count), max: BigInt(count) }).value !== null,
});

interface TypedTotalInputProps {
  total: TypedTotal;
  value: string;
  onChange(value: string): void;
}

export const TypedTotalInput = ({ total, value, onChange }: TypedTotalInputProps) => (
  <TextInput
    label={t('Type {typed} to confirm', { typed: total.shown })}
    description={t('This can’t be undone.')}
    value={value}
    autoComplete="off"
    data-autofocus
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
