import type { TransactionRow } from '../../../client/types.gen.ts';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';

/** Returns what the rows earned minus what was taken back, by currency, in words; null without rows. */
export function netOf(rows: readonly TransactionRow[]): string | null {
  const nets = new Map<string, bigint>();
  for (const { currency, shareMinor, reversedShareMinor } of rows)
    nets.set(currency, (nets.get(currency) ?? 0n) + BigInt(shareMinor ?? '0') - BigInt(reversedShareMinor));
  const amounts = [...nets].map(([currency, minor]) => formatMoney(String(minor), currency));
  return amounts.length === 0 ? null : t('Net {amounts}', { amounts: amounts.join(' + ') });
}
