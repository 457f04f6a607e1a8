import { Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Icon } from './icons.tsx';
import { formatAmount, formatMoney } from './money.tsx';
import { readAmount, readWhole } from './read-number.ts';
import { t } from './text.ts';

/** Total to type to confirm an action that moves money or can't be undone. */
export interface TypedTotal {
  /** Total as the screen shows it. */
  shown: string;
  /** True if the total contains words. It is quoted then, so that it doesn't read as a part of the instruction. */
  isPhrase?: boolean;
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

/** Returns a total to type that names its currency, for a dialog about payouts in several currencies. */
export const typedMoney = (minor: string, currency: string): TypedTotal => ({
  ...typedAmount(minor, currency),
  shown: formatMoney(minor, currency),
});

/** @param shown the count with its unit, such as "5 payouts". The number alone is accepted, too. */
export const typedCount = (count: number, shown = String(count)): TypedTotal => ({
  shown,
  isPhrase: shown !== String(count),
  isTyped: (typed) =>
    typed.trim().toLowerCase() === shown.toLowerCase() ||
    readWhole(typed, { min: BigInt(count), max: BigInt(count) }).value !== null,
});

interface TypedTotalInputProps {
  total: TypedTotal;
  value: string;
  onChange(value: string): void;
  /** Text about how to undo the action; by default, that it can't be undone. */
  afterward?: string;
}

/**
 * Field for a total, and the warning below it, next to the dialog's buttons. Shows an error for any other text once the
 * person leaves the field.
 */
export function TypedTotalInput({
  total,
  value,
  onChange,
  afterward = t('This can’t be undone.'),
}: TypedTotalInputProps) {
  const [hasLeft, setLeft] = useState(false);
  const isTyped = total.isTyped(value);
  return (
    <TextInput
      label={t('Type {typed} to confirm', { typed: total.isPhrase ? `“${total.shown}”` : total.shown })}
      description={
        <Group component="span" gap={6} mt="sm" wrap="nowrap">
          <Icon name="alert" size={16} /> {afterward}
        </Group>
      }
      descriptionProps={{ fz: 'sm', c: 'var(--mantine-color-text)', fw: 600 }}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      value={value}
      autoComplete="off"
      error={
        hasLeft && value.trim() !== '' && !isTyped
          ? t('This isn’t {typed}. Compare the amount, and type it again.', { typed: total.shown })
          : undefined
      }
      data-autofocus
      onBlur={() => setLeft(true)}
      onChange={({ currentTarget }) => {
        setLeft(false);
        onChange(currentTarget.value);
      }}
    />
  );
}
