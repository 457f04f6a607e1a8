import type { PreviewTotals } from '../../../client/types.gen.ts';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { Caution } from './caution.tsx';

/** Line about the creators who were paid more than is due, and what they owe: their balances, as on Balances. */
export function OwingNote({ totals }: { totals: readonly PreviewTotals[] }) {
  const overpaid = totals.filter(({ repaying }) => repaying.totalMinor.startsWith('-'));
  if (overpaid.length === 0) return null;
  return (
    <Caution>
      {overpaid.map(sentenceOf).join(' ')} {t('Future earnings go toward repaying it.')}
    </Caution>
  );
}

/** Sentence about a currency. For several creators, it says what was overpaid, not what they owe, because one may have earned more. */
function sentenceOf({
  currency,
  repayingName: name,
  repaying: { totalMinor, memberCount: count },
  repayingLaterMinor,
  onHold,
}: PreviewTotals): string {
  const overpaid = formatMoney(totalMinor.slice(1), currency);
  const isOne = name !== null && count === 1;
  if (repayingLaterMinor === '0')
    return isOne
      ? t('{name} owes you {overpaid}.', { name, overpaid })
      : t('{count, plural, one {# creator owes} other {# creators owe}} you {overpaid}.', {
          count,
          overpaid,
        });
  const amount = formatMoney(repayingLaterMinor, currency);
  const later =
    onHold.memberCount === 0
      ? t('{amount} that isn’t due yet', { amount })
      : t('{amount} that isn’t due yet or is on hold', { amount });
  if (!isOne)
    return t(
      '{count, plural, one {# creator was overpaid {overpaid} but has earned {later}.} other {# creators were overpaid {overpaid} but have earned {later}.}}',
      { count, overpaid, later },
    );
  const balance = BigInt(totalMinor) + BigInt(repayingLaterMinor);
  return balance < 0n
    ? t('{name} owes you {owed}: {overpaid} overpaid, minus {later}.', {
        name,
        owed: formatMoney(String(-balance), currency),
        overpaid,
        later,
      })
    : t('{name} was overpaid {overpaid} but has earned {later}, which covers it.', { name, overpaid, later });
}
