import type { ShareExplanation, TransactionDetail } from '../../../client/types.gen.ts';
import { formatExact } from '../../../ui/exact.ts';
import { formatAmount, formatMoney } from '../../../ui/money.tsx';
import { formatPercent } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { ruleNames } from './names.ts';

/** Formats the calculation in major units: `899.00 × 10% = 89.90 USD`, with the unrounded amount if it was rounded. */
export function arithmetic({
  subtotalMinor,
  percent,
  exact,
  shareMinor,
  currency,
}: ShareExplanation): string {
  const parts = {
    subtotal: formatAmount(subtotalMinor, currency),
    percent: formatPercent(percent),
    share: formatMoney(shareMinor, currency),
  };
  return exact === shareMinor
    ? t('{subtotal} × {percent} = {share}', parts)
    : t('{subtotal} × {percent} = {exact} → {share}, rounded half-even', {
        ...parts,
        exact: formatExact(exact, currency),
      });
}

/** Returns the whole explanation as text to send to a creator. It contains no data about the buyer. */
export const explanationText = ({ transactionId, rows }: TransactionDetail): string =>
  rows
    .map(({ row, explanation }) =>
      [
        t('{transaction}: {creator} with the code {code}, {subtotal}, {status}', {
          transaction: transactionId,
          creator: row.creator.name,
          code: row.code,
          subtotal: formatMoney(row.subtotalMinor, row.currency),
          status: row.status,
        }),
        ...explanation.offers.map(
          ({ rule, percent }, index) =>
            `${rule === explanation.rule ? '→' : ' '} ${index + 1}. ${ruleNames()[rule] ?? rule}: ${
              percent === null ? t('none') : formatPercent(percent)
            }`,
        ),
        arithmetic(explanation),
      ].join('\n'),
    )
    .join('\n\n');
