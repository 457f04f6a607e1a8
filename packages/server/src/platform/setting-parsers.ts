/** Parsers of settings: each throws a sentence that completes "NAME …". */

export interface Setting<Value> {
  /** The environment variable. */
  name: string;
  /** Value when unset, as text; '' means none. */
  fallback: string;
  /** For docs/configuration.md. */
  meaning: string;
  /** Throws a sentence that completes "NAME …". */
  parse(text: string): Value;
}

export function databaseUrl(text: string): string | null {
  if (text === '') return null;
  // Without a host (a socket, in ?host=) it is a connection string, and to URL it is none.
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text.replace('@/', '@localhost/'))) {
    throw new Error('must look like postgres://user:password@host:5432/database');
  }
  return text;
}

/** Browsers keep what signs people in safe over HTTPS, and on the machine itself. */
export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

export function publicUrl(text: string): string | null {
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new Error('must be an address without a path, such as https://creators.example.com');
  const isKept =
    url.protocol === 'https:' || (url.protocol === 'http:' && loopbackNames.includes(url.hostname));
  if (!isKept)
    throw new Error('must begin with https://: over plain HTTP whoever listens could sign in as anybody');
  return url.origin;
}

export function smtpUrl(text: string): string | null {
  if (text === '') return null;
  if (!/^smtps?:\/\/./.test(text) || !URL.canParse(text))
    throw new Error('must look like smtps://user:password@mail.example:465');
  return text;
}

export function oidcIssuer(text: string): string | null {
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isKept =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && loopbackNames.includes(url.hostname));
  if (url === null || !isKept || url.search !== '' || url.hash !== '')
    throw new Error('must be the issuer of the provider, such as https://accounts.google.com');
  return text;
}

export function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most))
      throw new Error(`must be a whole number from ${least} to ${most}`);
    return value;
  };
}

export function seconds(least: number, most: number) {
  const parse = wholeNumber(least, most);
  return (text: string): number => parse(text) * 1_000;
}

export function oneOf<const Value extends string>(allowed: readonly Value[]) {
  return (text: string): Value => {
    const found = allowed.find((value) => value === text);
    if (found === undefined) throw new Error(`must be one of ${allowed.join(', ')}`);
    return found;
  };
}

export function yesOrNo(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new Error('must be true or false');
  return text === 'true';
}

/** @returns it without a slash at the end */
export function collectorUrl(text: string): string | null {
  if (text === '') return null;
  if (!/^https?:\/\/./.test(text) || !URL.canParse(text) || new URL(text).username !== '')
    throw new Error('must look like http://collector.example:4318');
  return text.replace(/\/+$/, '');
}

/** Headers as OpenTelemetry writes them: `name=value,name=value`, each value percent-encoded. */
export function headerList(text: string): Record<string, string> {
  const pairs = text.split(',').filter((each) => each.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name = '', value = ''] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      try {
        if (name !== '') return [name.toLowerCase(), decodeURIComponent(value)];
      } catch {
        // told below
      }
      throw new Error('must look like name=value,name=value, with percent-encoded values');
    }),
  );
}

export function part(text: string): number {
  const value = /^(0|1|0?\.\d{1,9}|1\.0{1,9})$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 0 && value <= 1)) throw new Error('must be a number from 0 to 1, such as 0.05');
  return value;
}
