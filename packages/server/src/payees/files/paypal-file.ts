import { formatMinorUnits } from '../../platform/money.ts';
import type { PayeeSettings } from '../payee-settings.ts';
import type { PaidPayout, PaymentLine } from './payment-line.ts';

/**
 * Formats a file for PayPal Payouts: CSV without a header line. Its columns are the recipient, the amount, the
 * currency, PayPal's customer id (the reference), a note and the wallet. No cell can be a formula, because an address
 * starts with a letter or digit. Amounts have the decimal separator of the sender's country.
 */
export function paypalFile(
  lines: readonly PaymentLine[],
  { number, currency }: PaidPayout,
  { paypalDecimalSign }: PayeeSettings,
): string {
  return lines
    .map(({ reference, amountMinor, destination }) => {
      if (destination.kind !== 'paypal') throw new Error('a line of a PayPal file is paid by another method');
      const amount = formatMinorUnits(amountMinor, currency).replace('.', paypalDecimalSign);
      const cell = amount.includes(',') ? `"${amount}"` : amount;
      return `${destination.email},${cell},${currency},${reference},Payout ${number},PAYPAL\r\n`;
    })
    .join('');
}
