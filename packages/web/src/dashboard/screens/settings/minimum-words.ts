import { formatMoney } from '../../../ui/money.tsx';

export const shown = ({ currency, amount }: { currency: string; amount: string }): string =>
  formatMoney(amount, currency);
