/**
 * The query of an address, as texts. The router would read it as JSON, which destroys ids: `662E41` becomes a number, and
 * long digits lose their last ones.
 */
export type Query = Readonly<Record<string, string>>;

export function parseQuery(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Empty values are left out. */
export function stringifyQuery(query: Readonly<Record<string, unknown>>): string {
  const said = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const text = new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
