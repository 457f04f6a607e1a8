/**
 * Names and values of a query string or form. If a name appears more than once, its value is a list. Null means that
 * the name or value isn't percent-encoded UTF-8. Invalid input isn't repaired.
 */
export type Pairs = Readonly<Record<string, string | string[] | null>>;

/**
 * Parses `a=1&b=2`, with `+` for a space.
 * @param allowed pattern that names and values must match before they are decoded
 */
export function parsePairs(text: string, allowed: RegExp): Pairs {
  const pairs: Record<string, string | string[] | null> = Object.create(null);
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('&', start);
    const end = next === -1 ? text.length : next;
    if (end > start) {
      const equals = text.indexOf('=', start);
      const middle = equals === -1 || equals > end ? end : equals;
      const name = decode(text.slice(start, middle), allowed);
      const value = decode(text.slice(middle + 1, end), allowed);
      const before = pairs[name ?? ''];
      if (name === null || value === null || before === null) pairs[name ?? ''] = null;
      else if (before === undefined) pairs[name] = value;
      else if (Array.isArray(before)) before.push(value);
      else pairs[name] = [before, value];
    }
    start = end + 1;
  }
  return pairs;
}

function decode(part: string, allowed: RegExp): string | null {
  if (!allowed.test(part)) return null;
  const spaced = part.includes('+') ? part.replaceAll('+', ' ') : part;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}
