import { formatMinorUnits } from '../../platform/money.ts';
import { reasonsInWords } from '../../settlement/payouts/create/change-reasons.ts';
import type { Reductions } from '../../settlement/payouts/create/reductions.ts';

/** Names the members who are paid less than the preview showed, one per line; empty if there are none. */
export function reductionsInWords({ count, totals, members }: Reductions): string[] {
  if (count === 0) return [];
  const sums = totals.map(
    ({ currency, amountMinor }) => `-${formatMinorUnits(amountMinor, currency)} ${currency}`,
  );
  return [
    `${count} member(s) get less than the preview showed, ${sums.join(', ')}:`,
    ...members.map(
      ({ memberId, name, currency, previewedMinor, paidMinor, reasons }) =>
        `  ${memberId} (${name}): ${formatMinorUnits(previewedMinor, currency)} → ${formatMinorUnits(paidMinor, currency)} ${currency}${reasonsInWords(reasons)}`,
    ),
    ...(count > members.length ? [`  and ${count - members.length} more`] : []),
  ];
}
