import type { ShareExplanation, TransactionDetail } from '../../../client/types.gen.ts';
import { exponentOf } from '../../../ui/currencies.ts';
import { formatAmount, formatMoney } from '../../../ui/money.tsx';
import { numberFormat } from '../../../ui/number-format.ts';
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

/** @param exact minor units before rounding, with decimals: `499.5` USD is shown as `4.995` */
function formatExact(exact: string, currency: string): string {
  const exponent = exponentOf(currency);
  if (exponent === null) return exact;
  const [whole = '', fraction = ''] = exact.split('.');
  const digits = whole.padStart(exponent + 1, '0');
  const at = digits.length - exponent;
  const decimal = `${digits.slice(0, at)}.${digits.slice(at)}${fraction}`;
  return numberFormat({
    minimumFractionDigits: exponent + fraction.length,
    maximumFractionDigits: exponent + fraction.length,
  }).format(decimal as unknown as number); // `format` is exact for strings
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
