import type { ShareExplanation, TransactionDetail } from '../../../client/types.gen.ts';
import { formatMoney } from '../../../ui/money.tsx';
import { formatPercent } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { ruleNames } from './names.ts';

/** `999 × 50 % = 499.5 → 500`, in minor units, and what that is. */
export const arithmetic = ({
  subtotalMinor,
  percent,
  exact,
  shareMinor,
  currency,
}: ShareExplanation): string =>
  t('{subtotal} × {percent} = {exact} → {share} minor units, rounded half-even: {amount}', {
    subtotal: subtotalMinor,
    percent: formatPercent(percent),
    exact,
    share: shareMinor,
    amount: formatMoney(shareMinor, currency),
  });

/** The whole explanation for somebody who asked: a letter to a creator has it in it. Nothing of the buyer is. */
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
              percent === null ? t('nothing') : formatPercent(percent)
            }`,
        ),
        arithmetic(explanation),
      ].join('\n'),
    )
    .join('\n\n');
