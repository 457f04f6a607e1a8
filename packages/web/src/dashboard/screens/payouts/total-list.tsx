import { List, Text } from '@mantine/core';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import type { CurrencyTotal } from './use-run-preview.ts';

/** Total of payouts in each currency, for a confirmation. */
export const TotalList = ({ totals }: { totals: readonly CurrencyTotal[] }) => (
  <List size="sm">
    {totals.map(({ currency, totalMinor, count }) => (
      <List.Item key={currency}>
        <Text span fw={600}>
          {formatMoney(totalMinor, currency)}
        </Text>{' '}
        {t('in {count, plural, one {# payout} other {# payouts}}', { count })}
      </List.Item>
    ))}
  </List>
);
