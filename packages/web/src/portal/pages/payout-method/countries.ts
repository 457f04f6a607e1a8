import { i18n } from '../../../ui/text.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** Codes that browsers have a name for, but that are no countries: unions, and parts of countries without a code of their own. */
const noCountries = new Set([
  'AC',
  'CP',
  'CQ',
  'DG',
  'EA',
  'EU',
  'EZ',
  'IC',
  'QO',
  'TA',
  'UN',
  'XA',
  'XB',
  'ZZ',
]);

let known: { locale: string; list: readonly { code: string; name: string }[] } | null = null;

/** Returns all countries by name, in the page's language. Browsers know the names, so the page doesn't have to load them. */
export function countries(): readonly { code: string; name: string }[] {
  const { locale } = i18n;
  if (known?.locale === locale) return known.list;
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  const codes = [...letters].flatMap((first) => [...letters].map((second) => first + second));
  const list = codes.flatMap((code) => {
    // Former codes have the name of the current one.
    if (noCountries.has(code) || new Intl.Locale(`und-${code}`).region !== code) return [];
    const name = names.of(code);
    return name === undefined ? [] : [{ code, name }];
  });
  list.sort((one, other) => one.name.localeCompare(other.name, locale));
  known = { locale, list };
  return list;
}
