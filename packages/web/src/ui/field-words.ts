import { msg, t } from './text.ts';

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
