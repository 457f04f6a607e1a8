import type { TransactionDetail } from '../../../client/types.gen.ts';
import { arithmetic } from '../../../ui/arithmetic.ts';
import { formatMoney } from '../../../ui/money.tsx';
import { formatPercent } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { ruleNames } from './names.ts';
import { statusName } from './status-names.ts';

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
          status: statusName(row.status),
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
