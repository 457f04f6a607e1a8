import { formatPercent } from '../ui/percent.tsx';
import { msg, t } from '../ui/text.ts';

/** Names of the API for which the dashboard uses other words. */
const words = new Map([
  ['revShare', msg('Share')],
  ['memberId', msg('Creator')],
  ['groupId', msg('Group')],
  ['tierId', msg('Tier')],
  ['skuId', msg('SKU')],
]);

const capitals = new Map([
  ['id', 'ID'],
  ['ip', 'IP'],
  ['sku', 'SKU'],
  ['url', 'URL'],
  ['iban', 'IBAN'],
  ['bic', 'BIC'],
]);

/** Returns a field's name in words: `payoutMinimums` becomes "Payout minimums". */
export function fieldInWords(name: string): string {
  const known = words.get(name);
  if (known !== undefined) return t(known);
  const text = name
    .split(/(?=[A-Z])|[_-]/)
    .map((word) => capitals.get(word.toLowerCase()) ?? word.toLowerCase())
    .join(' ');
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** Returns a value in words, such as "8%" and "Yes"; null for a value that has none, such as an object. */
export function valueInWords(name: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return t('None');
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (typeof value === 'number') return name === 'revShare' ? formatPercent(value) : String(value);
  if (typeof value === 'string') return value;
  return null;
}
