import { Group, Stack, Text, Title } from '@mantine/core';
import { Fragment } from 'react';
import type { TransactionDetail } from '../../../client/types.gen.ts';
import { Money, ReducedMoney } from '../../../ui/money.tsx';
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
          <Shares rows={rows} />{' '}
          {creators === 1
            ? t('to {creator}', { creator: row.creator.name })
            : t('to {count, plural, one {# creator} other {# creators}}', { count: creators })}
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

/** Sum of the rows' shares: one amount per currency, because currencies are never added up. */
function Shares({ rows }: Pick<TransactionDetail, 'rows'>) {
  const sums = new Map<string, { minor: bigint; taken: bigint }>();
  for (const { row, explanation } of rows) {
    const { minor, taken } = sums.get(explanation.currency) ?? { minor: 0n, taken: 0n };
    sums.set(explanation.currency, {
      minor: minor + BigInt(explanation.shareMinor),
      taken: taken + BigInt(row.reversedShareMinor),
    });
  }
  return [...sums].map(([currency, { minor, taken }], index) => (
    <Fragment key={currency}>
      {index > 0 && ' + '}
      <ReducedMoney minor={String(minor)} takenMinor={String(taken)} currency={currency} />
    </Fragment>
  ));
}
