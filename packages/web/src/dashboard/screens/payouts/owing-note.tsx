import { Text } from '@mantine/core';
import type { PreviewTotals } from '../../../client/types.gen.ts';
import { Hint } from '../../../ui/hint.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';

/** Line about the creators who owe the publisher money. A hint explains why it isn't the same as their balances. */
export function OwingNote({ totals }: { totals: readonly PreviewTotals[] }) {
  const owing = totals.filter(({ repaying }) => repaying.totalMinor.startsWith('-'));
  if (owing.length === 0) return null;
  const later = owing.filter(({ repayingLaterMinor }) => repayingLaterMinor !== '0');
  return (
    <Text size="sm" component="div">
      {owing
        .map(({ currency, repayingName: name, repaying: { totalMinor, memberCount: count } }) => {
          const amount = formatMoney(totalMinor.slice(1), currency);
          return name === null
            ? t('{count, plural, one {# creator owes} other {# creators owe}} you {amount}.', {
                count,
                amount,
              })
            : t('{name} owes you {amount}.', { name, amount });
        })
        .join(' ')}{' '}
      {t('Future earnings go toward it.')}
      {later.length > 0 && (
        <Hint about={t('Owes you')}>
          {later.map(({ currency, repaying: { totalMinor, memberCount }, repayingLaterMinor }) => (
            <div key={currency}>
              {t(
                '{later} of their earnings isn’t due yet or is on hold, so {count, plural, one {their balance is} other {their balances add up to}} {balance}.',
                {
                  count: memberCount,
                  later: formatMoney(repayingLaterMinor, currency),
                  balance: formatMoney(String(BigInt(totalMinor) + BigInt(repayingLaterMinor)), currency),
                },
              )}
            </div>
          ))}
        </Hint>
      )}
    </Text>
  );
}
