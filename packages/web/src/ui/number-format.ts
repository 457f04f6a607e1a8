import { formatLocale } from './locale.ts';

const formats = new Map<string, Intl.NumberFormat>();

/** Returns a number format for the reader's locale. Formats are reused, because a table needs the same one in every cell. */
export function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const locale = formatLocale();
  const key = `${locale} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(locale, options);
    formats.set(key, format);
  }
  return format;
}
