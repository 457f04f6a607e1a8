import type { ChangedPayoutMember, PayoutChange } from '../../../client/types.gen.ts';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';

/** Returns why a preview can no longer be paid, in a sentence. */
export function causeOf({ cause }: PayoutChange): string {
  switch (cause) {
    case 'payout':
      return t('Another payout for this group was created after the preview, so this one wasn’t created.');
    case 'terms':
      return t(
        'The hold period, the minimums, or the sandbox clock changed after the preview, so no payout was created.',
      );
    default:
      return t('Some creators would now be paid different amounts, so no payout was created.');
  }
}

export const reasonWords = (): Readonly<Record<ChangedPayoutMember['reasons'][number], string>> => ({
  Refund: t('refund'),
  Fraud: t('fraud'),
  Chargeback: t('chargeback'),
  part: t('partial refund'),
  hold: t('hold placed'),
  gate: t('under review, or without a tax clearance or payout method'),
  release: t('hold released'),
  reinstatement: t('refund reinstated'),
  merge: t('creators merged'),
  purchases: t('new purchases'),
  bounties: t('bounties'),
  clawback: t('clawback'),
  minimum: t('now below the minimum'),
});

/** Returns whether amounts only fell since the preview, in which case what is left of them can be paid. */
export const onlyFell = ({ currencies }: PayoutChange): boolean =>
  currencies.some(({ isChanged }) => isChanged) &&
  currencies.every((each) => !each.isChanged || each.onlyFell);

/** Summarizes amounts that fell, such as "3 creators get less: 2 refunds, −4.10 USD". */
export function fallWords(changes: readonly PayoutChange[]): string {
  const counts = new Map<string, number>();
  for (const { causes } of changes)
    for (const { reason, count } of causes) counts.set(reason, (counts.get(reason) ?? 0) + count);
  const falls = new Map<string, bigint>();
  for (const { currency, isChanged, before, after } of changes.flatMap(({ currencies }) => currencies))
    if (isChanged)
      falls.set(
        currency,
        (falls.get(currency) ?? 0n) + BigInt(after.totalMinor) - BigInt(before?.totalMinor ?? 0),
      );
  const details = [
    ...[...counts].flatMap(([reason, count]) => countWords(reason, count) ?? []),
    ...[...falls].map(([currency, minor]) => formatMoney(String(minor), currency)),
  ].join(', ');
  return t('{count, plural, one {# creator gets} other {# creators get}} less: {details}', {
    count: changes.reduce((sum, { changedCount }) => sum + changedCount, 0),
    details,
  });
}

function countWords(reason: string, count: number): string | null {
  switch (reason) {
    case 'Refund':
      return t('{count, plural, one {# refund} other {# refunds}}', { count });
    case 'part':
      return t('{count, plural, one {# partial refund} other {# partial refunds}}', { count });
    case 'Fraud':
      return t('{count, plural, one {# case of fraud} other {# cases of fraud}}', { count });
    case 'Chargeback':
      return t('{count, plural, one {# chargeback} other {# chargebacks}}', { count });
    case 'hold':
      return t('{count, plural, one {# hold} other {# holds}}', { count });
    case 'gate':
      return t(
        '{count, plural, one {# creator who can’t be paid now} other {# creators who can’t be paid now}}',
        { count },
      );
    default:
      return null;
  }
}
