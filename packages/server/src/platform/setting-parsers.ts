import { availableParallelism } from 'node:os';
export interface Setting<Value> {
  name: string;
  /** Text to parse if the variable isn't set; '' means no value. */
  fallback: string;
  /** Description in docs/configuration.md. */
  meaning: string;
  /** Parses the setting's text. @throws Error whose message completes the sentence "NAME …" */
  parse(text: string): Value;
}

export function databaseUrl(text: string): string | null {
  if (text === '') return null;
  // A connection string doesn't need a host if ?host= names a socket. URL can't parse such a string.
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text.replace('@/', '@localhost/'))) {
    throw new Error('must look like postgres://user:password@host:5432/database');
  }
  return text;
}

/** Hosts for which browsers allow secure cookies and passkeys over plain HTTP. */
export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

export function publicUrl(text: string): string | null {
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new Error('must be an address without a path, such as https://creators.example.com');
  requireSecure(url);
  return url.origin;
}

/** Parses the origin of a server that this service sends requests to. */
export function serverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new Error('must be an address without a path, such as https://proxy.example.com');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopbackNames.includes(url.hostname)))
    throw new Error('must start with https://: over plain HTTP, an eavesdropper could read the keys');
  return url.origin;
}

/** Path of the creators' portal on every host. */
export const portalPath = '/creators';

/** Parses the origin of the creators' portal, with or without the portal's path. @returns the URL with the path */
export function portalUrl(text: string): string | null {
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const path = url?.pathname.replace(/\/+$/, '');
  if (
    url === null ||
    (path !== '' && path !== portalPath) ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== ''
  )
    throw new Error(
      `must be an address such as https://pay.example.com${portalPath}, without any other path`,
    );
  requireSecure(url);
  return url.origin + portalPath;
}

function requireSecure({ protocol, hostname }: URL): void {
  if (protocol !== 'https:' && !(protocol === 'http:' && loopbackNames.includes(hostname)))
    throw new Error('must start with https://: over plain HTTP, an eavesdropper could take over a session');
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
  const isSecure =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && loopbackNames.includes(url.hostname));
  if (url === null || !isSecure || url.search !== '' || url.hash !== '')
    throw new Error("must be the provider's issuer URL, such as https://accounts.google.com");
  return text;
}

/** Parses host names with optional ports, separated by commas. */
export function hostList(text: string): readonly string[] {
  const names = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return names.map((name) => {
    if (/[/@?#\\\s]/.test(name) || !URL.canParse(`https://${name}`))
      throw new Error('must be host names such as chat.example.com, separated by commas');
    return new URL(`https://${name}`).host;
  });
}

export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw new Error(`must be a whole number from ${min} to ${max}`);
    return value;
  };
}

export function seconds(min: number, max: number) {
  const parse = wholeNumber(min, max);
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

/** Removes trailing slashes from the URL. */
export function collectorUrl(text: string): string | null {
  if (text === '') return null;
  if (!/^https?:\/\/./.test(text) || !URL.canParse(text) || new URL(text).username !== '')
    throw new Error('must look like http://collector.example:4318');
  return text.replace(/\/+$/, '');
}

/** Parses headers in OpenTelemetry's format: `name=value,name=value`, each value percent-encoded. */
export function headerList(text: string): Record<string, string> {
  const pairs = text.split(',').filter((each) => each.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name = '', value = ''] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      try {
        if (name !== '') return [name.toLowerCase(), decodeURIComponent(value)];
      } catch {
        // reported below
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

const maxProcesses = 64;

/** `auto` is the number of processors that this process may use. */
export function processCount(text: string): number {
  if (text === 'auto') return Math.min(availableParallelism(), maxProcesses);
  const value = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > maxProcesses)
    throw new Error(`must be auto, or a whole number from 1 to ${maxProcesses}`);
  return value;
}
