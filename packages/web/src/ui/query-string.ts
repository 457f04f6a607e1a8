/**
 * URL query with string values. The router would parse them as JSON, which corrupts ids: `662E41` becomes a number,
 * and long numbers lose their last digits.
 */
export type Query = Readonly<Record<string, string>>;

export function parseQuery(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Serializes a query, omitting empty values. */
export function stringifyQuery(query: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
