import { ActionIcon, Button, Fieldset, Group, Select, Stack, Text } from '@mantine/core';
import type { CreatorGroup } from '../../../client/types.gen.ts';
import { currencies } from '../../../ui/currencies.ts';
import { Icon } from '../../../ui/icons.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { MoneyInput } from '../../../ui/number-input.tsx';
import { amountText, readAmount } from '../../../ui/read-number.ts';
import { t } from '../../../ui/text.ts';

interface Minimum {
  key: number;
  currency: string;
  typed: string;
}

let keys = 0;
const newMinimum = (currency: string, typed: string): Minimum => {
  keys += 1;
  return { key: keys, currency, typed };
};

export const minimumsOf = ({ payoutMinimums }: CreatorGroup): Minimum[] =>
  payoutMinimums.map(({ currency, amount }) => newMinimum(currency, amountText(amount, currency)));

/** Bounds of a minimum, in minor units. */
const bounds = { min: 0n, max: 10n ** 15n - 1n };

/** @returns null while any minimum is invalid */
export function readMinimums(minimums: readonly Minimum[]): { currency: never; amount: string }[] | null {
  const read = minimums.flatMap(({ currency, typed }) => {
    const { value } = readAmount(typed, currency, bounds);
    return value === null ? [] : [{ currency: currency as never, amount: String(value) }];
  });
  return read.length === minimums.length ? read : null;
}

/** Returns a minimum for display: as an amount, or as typed while the text is invalid. */
export function describeMinimum({ currency, typed }: Minimum): string {
  const { value } = readAmount(typed, currency, bounds);
  return value === null ? `${typed} ${currency}` : formatMoney(String(value), currency);
}

interface MinimumsProps {
  minimums: readonly Minimum[];
  onChange(minimums: readonly Minimum[]): void;
}

export function Minimums({ minimums, onChange }: MinimumsProps) {
  const taken = new Set(minimums.map(({ currency }) => currency));
  const change = (key: number, changes: Partial<Minimum>): void =>
    onChange(minimums.map((each) => (each.key === key ? { ...each, ...changes } : each)));
  const next = ['USD', 'EUR', ...currencies].find((currency) => !taken.has(currency)) ?? 'USD';
  return (
    <Fieldset legend={t('Minimum payout')}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {t('Smaller amounts wait for a later payout.')}
        </Text>
        {minimums.map(({ key, currency, typed }) => (
          <Group key={key} gap="xs" align="flex-start" wrap="nowrap">
            <Select
              aria-label={t('Currency')}
              data={currencies.filter((each) => each === currency || !taken.has(each))}
              value={currency}
              searchable
              allowDeselect={false}
              w={110}
              onChange={(chosen) => chosen !== null && change(key, { currency: chosen })}
            />
            <MoneyInput
              aria-label={t('Amount in {currency}', { currency })}
              value={typed}
              bounds={bounds}
              currency={currency}
              flex={1}
              onChange={(text) => change(key, { typed: text })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t('Remove the {currency} minimum', { currency })}
              onClick={() => onChange(minimums.filter((each) => each.key !== key))}
            >
              <Icon name="cross" size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => onChange([...minimums, newMinimum(next, amountText('0', next))])}
          >
            {t('Add currency')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
