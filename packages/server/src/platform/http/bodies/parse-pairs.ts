/**
 * Names and their values, as a query string or a form carries them: a list where a name is given more than once,
 * null where a name or a value is not percent-encoded UTF-8. Nothing is mended.
 */
export type Pairs = Readonly<Record<string, string | string[] | null>>;

/**
 * Reads `a=1&b=2`, with `+` for a space.
 * @param mayHold what a name or a value may hold before it is decoded
 */
export function parsePairs(text: string, mayHold: RegExp): Pairs {
  const pairs: Record<string, string | string[] | null> = Object.create(null);
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('&', start);
    const end = next === -1 ? text.length : next;
    if (end > start) {
      const equals = text.indexOf('=', start);
      const middle = equals === -1 || equals > end ? end : equals;
      const name = decoded(text.slice(start, middle), mayHold);
      const value = decoded(text.slice(middle + 1, end), mayHold);
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

function decoded(part: string, mayHold: RegExp): string | null {
  if (!mayHold.test(part)) return null;
  const spaced = part.includes('+') ? part.replaceAll('+', ' ') : part;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}
