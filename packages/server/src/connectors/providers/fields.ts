import { Unreadable } from '../provider.ts';

/** Returns a value of a JSON body by its path; undefined if it is absent or null. */
export function at(body: unknown, ...path: (string | number)[]): unknown {
  let value = body;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string | number, unknown>)[name];
  }
  return value ?? undefined;
}

/** Returns a value by its JSON pointer; undefined without a pointer. */
export const atPointer = (body: unknown, pointer: string | undefined): unknown =>
  pointer === undefined
    ? undefined
    : at(
        body,
        ...pointer
          .slice(1)
          .split('/')
          .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')),
      );

/**
 * Returns a text or a number as text, without control characters, of which PostgreSQL can't store all; null if it is absent, empty, or
 * another kind of value.
 */
export function textOf(value: unknown, maxLength = 255): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  if (typeof value !== 'string') return null;
  const text = value.replaceAll(/\p{Cc}/gu, ' ').trim();
  return text === '' ? null : text.slice(0, maxLength).toWellFormed();
}

/** @throws Unreadable */
export function requireText(value: unknown, name: string): string {
  const text = textOf(value);
  if (text === null) throw new Unreadable(`${name} is missing.`);
  return text;
}

/**
 * Returns the digits of an amount.
 * @throws Unreadable
 */
export function requireAmount(value: unknown, name: string): string {
  const text = textOf(value, 50);
  if (text === null || !/^\d+(\.\d+)?$/.test(text)) throw new Unreadable(`${name} is not an amount.`);
  return text;
}

export const requireCurrency = (value: unknown, name: string): string =>
  requireText(value, name).toUpperCase();

/**
 * Returns a time as ISO 8601.
 * @param value ISO 8601 with an offset, or seconds or milliseconds since 1970
 * @throws Unreadable
 */
export function requireTime(value: unknown, name: string): string {
  const number = typeof value === 'number' ? value : /^\d{9,14}$/.test(String(value)) ? Number(value) : null;
  // Seconds have ten digits until the year 2286, and milliseconds have had thirteen since 2001.
  const ms = number === null ? Date.parse(String(value)) : number < 100_000_000_000 ? number * 1_000 : number;
  if (!Number.isFinite(ms) || ms < 0 || ms > 8.64e15) throw new Unreadable(`${name} is not a time.`);
  return new Date(ms).toISOString();
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
