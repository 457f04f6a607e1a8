import { formatMoney } from '../../../ui/money.tsx';

/** The least that is paid out, in words. */
export const shown = ({ currency, amount }: { currency: string; amount: string }): string =>
  formatMoney(amount, currency);
