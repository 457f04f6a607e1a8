import { TextInput } from '@mantine/core';
import { formatAmount } from './money.tsx';
import { readAmount, readWhole } from './read-number.ts';
import { t } from './text.ts';

/** Total that is typed before something that nothing takes back. */
export interface TypedTotal {
  /** Text of the total as the screen shows it. */
  shown: string;
  /** Accepts every way of writing the total, and no other amount. */
  isTyped(typed: string): boolean;
}

/** Takes `647,85`, `647.85 USD` and `$647.85` for 647.85 of USD. */
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

/** Field in which the total is typed. */
export const TypedTotalInput = ({ total, value, onChange }: TypedTotalInputProps) => (
  <TextInput
    label={t('Type {typed} to go on', { typed: total.shown })}
    description={t('Nothing takes this back.')}
    value={value}
    autoComplete="off"
    data-autofocus
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
