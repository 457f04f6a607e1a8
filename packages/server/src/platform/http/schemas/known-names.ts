import type { TSchema } from 'typebox';
import type { Pairs } from '../bodies/parse-pairs.ts';

/** Names of properties and parameters that an operation reads. All other names are ignored. */
export interface KnownNames {
  query: ReadonlySet<string>;
  /** Null if the operation doesn't read a body, stores any property, or rejects unknown properties. */
  body: KnownValue | null;
}

interface KnownValue {
  properties: ReadonlyMap<string, KnownValue | null> | null;
  items: KnownValue | null;
}

interface Shape {
  type?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: readonly Shape[];
  additionalProperties?: unknown;
  'x-also-sent'?: readonly string[];
  'x-keeps-others'?: boolean;
}

/** Maximum number of list entries to check. No operation accepts a longer list. */
const maxEntries = 1_000;
/** Maximum number of names to collect per request. The first few are reported, and the rest are counted. */
export const maxNames = 1_000;

/**
 * Marks an object schema that accepts the given properties without a warning, because callers may send back
 * an object as they received it.
 */
export const alsoSent = (...names: readonly string[]) => ({ 'x-also-sent': names });

/** Marks an object schema that stores the caller's own properties. */
export const keepsOthers = { 'x-keeps-others': true };

export function knownNamesOf(schema: { querystring?: unknown; body?: unknown } | undefined): KnownNames {
  const { properties = {} } = (schema?.querystring ?? {}) as Shape;
  return { query: new Set(Object.keys(properties)), body: knownIn(schema?.body as TSchema | undefined) };
}

function knownIn(schema: Shape | undefined): KnownValue | null {
  if (schema === undefined || schema['x-keeps-others'] === true) return null;
  if (schema.type === 'array') {
    const items = knownIn(schema.items);
    return items === null ? null : { properties: null, items };
  }
  if (schema.type === 'object') {
    if (schema.additionalProperties === false) return null;
    const names = [
      ...Object.entries(schema.properties ?? {}).map(([name, each]) => [name, knownIn(each)] as const),
      ...(schema['x-also-sent'] ?? []).map((name) => [name, null] as const),
    ];
    return { properties: new Map(names), items: null };
  }
  // A body may be a single entry or a list of entries.
  const branches = (schema.anyOf ?? []).map(knownIn);
  const properties = branches.find((branch) => branch?.properties)?.properties ?? null;
  const items = branches.find((branch) => branch?.items)?.items ?? null;
  return properties === null && items === null ? null : { properties, items };
}

/**
 * Finds the names in a request that the operation doesn't recognize. Doesn't allocate memory if it recognizes them all.
 * @returns up to `maxNames` distinct names, nested ones with their path (`metrics.joindate`), or null if all are
 * recognized
 */
export function unknownNames(known: KnownNames, query: Pairs, body: unknown): Set<string> | null {
  let found: Set<string> | null = null;
  for (const name in query) if (!known.query.has(name)) found = withName(found, '', name);
  return known.body === null ? found : unknownIn(known.body, body, { path: '', found });
}

function unknownIn(
  known: KnownValue,
  value: unknown,
  { path, found }: { path: string; found: Set<string> | null },
): Set<string> | null {
  if (typeof value !== 'object' || value === null) return found;
  let all = found;
  if (Array.isArray(value)) {
    if (known.items === null) return all;
    const length = Math.min(value.length, maxEntries);
    for (let index = 0; index < length; index += 1)
      all = unknownIn(known.items, value[index], { path, found: all });
    return all;
  }
  if (known.properties === null) return all;
  for (const name in value) {
    const inner = known.properties.get(name);
    if (inner === undefined) {
      all = withName(all, path, name);
      if (all.size >= maxNames) return all;
    } else if (inner !== null)
      all = unknownIn(inner, (value as Record<string, unknown>)[name], {
        path: `${path}${name}.`,
        found: all,
      });
  }
  return all;
}

const withName = (found: Set<string> | null, path: string, name: string): Set<string> =>
  (found ?? new Set<string>()).add(path + name);
