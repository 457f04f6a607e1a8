import { i18n } from './text.ts';

/** Translations, keyed by English message. If a translation is null, the English message is shown. */
type Catalog = Record<string, string | null>;

const catalogs = import.meta.glob<Catalog>('../locales/*.json', { import: 'default' });

/** Pseudo-locale with longer, accented text in brackets. Reveals untranslatable text and broken layouts. */
export const pseudoLocale = 'en-XA';

const nameOf = (path: string): string => /([\w-]+)\.json$/.exec(path)?.[1] ?? '';

export const locales: readonly string[] = ['en', ...Object.keys(catalogs).map(nameOf)];

/** Activates the chosen language, or else the browser's first available language. */
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

// Browsers create the list of languages each time it is read, and a table of amounts would read it hundreds of times.
let ownEnglish: string | undefined;

/**
 * Returns the locale for dates and numbers. If the screens are in English, the locale is the reader's own
 * variety of English.
 */
export function formatLocale(): string {
  if (!i18n.locale.startsWith('en')) return i18n.locale;
  ownEnglish ??= navigator.languages.find((language) => language.startsWith('en-')) ?? 'en-GB';
  return ownEnglish;
}
