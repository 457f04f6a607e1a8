import { i18n } from './text.ts';

/** A message that is not translated yet is null, and is shown in English. */
type Catalog = Record<string, string | null>;

const catalogs = import.meta.glob<Catalog>('../locales/*.json', { import: 'default' });

/** Longer words in accents and brackets: shows what is in no catalog, and what breaks when texts grow. */
export const pseudoLocale = 'en-XA';

const nameOf = (path: string): string => /([\w-]+)\.json$/.exec(path)?.[1] ?? '';

/** Languages that can be chosen. */
export const locales: readonly string[] = ['en', ...Object.keys(catalogs).map(nameOf)];

/** Speaks the language that was chosen, or else the first of the browser's that there is. */
export async function activateLocale(chosen: string | null): Promise<void> {
  if (chosen === pseudoLocale) {
    const { pseudo } = await import('./pseudo.ts');
    pseudo(i18n);
  } else {
    const wanted = chosen === null ? navigator.languages : [chosen];
    const locale = wanted.map(closest).find((found) => found !== undefined) ?? 'en';
    const load = Object.entries(catalogs).find(([path]) => nameOf(path) === locale)?.[1];
    i18n.loadAndActivate({ locale, messages: load === undefined ? {} : translated(await load()) });
  }
  document.documentElement.lang = i18n.locale === pseudoLocale ? 'en' : i18n.locale;
}

const translated = (catalog: Catalog): Record<string, string> =>
  Object.fromEntries(Object.entries(catalog).filter((entry): entry is [string, string] => entry[1] !== null));

const closest = (wanted: string): string | undefined =>
  locales.find((locale) => locale === wanted) ?? locales.find((locale) => locale === wanted.split('-')[0]);

/** What dates and numbers are written as: the reader's own English where the screens speak English. */
export const formatLocale = (): string =>
  i18n.locale.startsWith('en')
    ? (navigator.languages.find((language) => language.startsWith('en-')) ?? 'en-GB')
    : i18n.locale;
