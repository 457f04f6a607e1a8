import { formatPercent } from '../ui/percent.tsx';
import { t } from '../ui/text.ts';

/** Returns a value in words, such as "8%" and "Yes"; null for a value that has none, such as an object. */
export function valueInWords(name: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return t('None');
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (typeof value === 'number') return name === 'revShare' ? formatPercent(value) : String(value);
  if (typeof value === 'string') return value;
  return null;
}
