import { Text } from '@mantine/core';
import type { WaitingReason } from '../client/types.gen.ts';
import { formatMoney } from '../ui/money.tsx';
import { t } from '../ui/text.ts';
import { When } from '../ui/when.tsx';

/** Everything that keeps an amount from being paid, with one reason per line and the time when it ends. */
export function WaitingReasons({
  reasons,
  currency,
  isDim = true,
}: {
  reasons: readonly WaitingReason[];
  currency: string;
  isDim?: boolean;
}) {
  return reasons.map((reason) => (
    <Text
      key={`${reason.kind} ${reason.note} ${reason.until} ${reason.payout?.payoutId}`}
      component="div"
      size={isDim ? 'xs' : 'sm'}
      {...(isDim && { c: 'dimmed' })}
      style={{ overflowWrap: 'anywhere' }}
    >
      {textOf(reason, currency)}
      {reason.until !== null && (
        <>
          {' '}
          {reason.kind === 'new-method' ? t('from') : t('until')} <When at={reason.until} precision="day" />
        </>
      )}
    </Text>
  ));
}

function textOf(
  { kind, until, note, rowCount, missingMinor, payout }: WaitingReason,
  currency: string,
): string {
  switch (kind) {
    case 'hold':
      return rowCount === null
        ? t('On hold: {note}', { note: note ?? '' })
        : t('{count, plural, one {# purchase} other {# purchases}} on hold: {note}', {
            count: rowCount,
            note: note ?? '',
          });
    case 'review':
      return t('Under review: {note}', { note: note ?? '' });
    case 'tax':
      return t('No tax clearance');
    case 'no-method':
      return t('No payout method for this currency');
    case 'new-method':
      return t('New payout method, used');
    case 'minimum':
      return t('Below the minimum by {missing}', {
        missing: formatMoney(missingMinor ?? '0', currency),
      });
    case 'repaying':
      return t('Repaying a clawback');
    case 'hold-period':
      return until === null ? t('In the hold period') : t('In the hold period, first amount');
    case 'in-payout':
      return t('In payout {number}, not paid yet', { number: String(payout?.number ?? '') });
  }
}
