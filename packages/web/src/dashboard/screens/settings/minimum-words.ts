import { formatMoney } from '../../../ui/money.tsx';

/** Formats a minimum payout. */
export const shown = ({ currency, amount }: { currency: string; amount: string }): string =>
  formatMoney(amount, currency);
