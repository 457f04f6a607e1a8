import { Group, Stack, Text, Title } from '@mantine/core';
import type { TransactionDetail } from '../../../client/types.gen.ts';
import { formatMoney, Money } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { RowState } from './row-state.tsx';

/** Head of a purchase: the share, who earns it and its state, then what the buyer paid and when. */
export function PurchaseHead({ rows }: Pick<TransactionDetail, 'rows'>) {
  const [first] = rows;
  if (first === undefined) return null;
  const { row } = first;
  const creators = new Set(rows.map((each) => each.row.creator.memberId)).size;
  return (
    <Stack gap={4}>
      <Group gap="sm">
        <Title order={3} size="h4">
          {creators === 1
            ? t('{share} to {creator}', { share: sharesOf(rows), creator: row.creator.name })
            : t('{share} to {count, plural, one {# creator} other {# creators}}', {
                share: sharesOf(rows),
                count: creators,
              })}
        </Title>
        {rows.length === 1 && <RowState explained={first} />}
      </Group>
      <Text size="sm">
        {t('Buyer paid')} <Money minor={row.totalMinor} currency={row.totalCurrency} />,{' '}
        <When at={row.transactionDate} precision="second" />
      </Text>
    </Stack>
  );
}

/** Formats the sum of the rows' shares: one amount per currency, because currencies are never added up. */
function sharesOf(rows: TransactionDetail['rows']): string {
  const sums = new Map<string, bigint>();
  for (const { explanation } of rows)
    sums.set(explanation.currency, (sums.get(explanation.currency) ?? 0n) + BigInt(explanation.shareMinor));
  return [...sums].map(([currency, minor]) => formatMoney(String(minor), currency)).join(' + ');
}
