import type { TSchema } from 'typebox';
import type { RefusalCode } from '../../refusal.ts';
import { ApiError } from '../answers/api-error.ts';
import { firstNames } from '../answers/warnings.ts';
import { type Pairs, parsePairs } from '../bodies/parse-pairs.ts';
import { firstProblem, problemText } from './validation.ts';

const codeOfParameter: Readonly<Record<string, RefusalCode>> = {
  page: 'InvalidPage',
  pageSize: 'InvalidPageSize',
  status: 'InvalidStatus',
  origin: 'InvalidOrigin',
  sort: 'InvalidSort',
  startDate: 'InvalidDate',
  updatedSince: 'InvalidDate',
  endDate: 'InvalidDate',
  codeScope: 'InvalidCodeScope',
  cursor: 'InvalidCursor',
};

type Property = {
  type?: string;
  format?: string;
  maxItems?: number;
  'x-case-insensitive'?: boolean;
  'x-whole-too'?: boolean;
};

type Shape = { properties?: Record<string, Property>; additionalProperties?: boolean };

/**
 * Marks a list parameter whose values may contain commas. Each value sent is matched both as a whole and as
 * its separate parts.
 */
export const wholeToo = { 'x-whole-too': true };

const none: Pairs = Object.freeze({});
/**
 * Pattern that matches a query string without raw bytes. Node's HTTP parser turns each byte of 128 or above
 * into one character.
 */
const ascii = /^[\x21-\x7e]*$/;

/**
 * Parses a query string for the router, which has no way to reject it. `checkQuery` rejects invalid query
 * strings.
 */
export const parseQuery = (text: string): Pairs => (text === '' ? none : parsePairs(text, ascii));

/**
 * Converts a query's numbers, booleans and lists, and validates them. Empty parameters count as absent. A
 * closed schema rejects unknown parameters, and any other schema ignores them.
 */
export function checkQuery(
  schema: TSchema,
  query: Pairs,
): { value: Record<string, unknown> } | { error: ApiError } {
  const { properties = {}, additionalProperties } = schema as Shape;
  if (additionalProperties === false) {
    const unknown = Object.keys(query).filter((name) => !Object.hasOwn(properties, name));
    if (unknown.length > 0) return { error: unknownParameters(unknown, Object.keys(properties)) };
  }
  const value: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const sent = query[name];
    if (sent === undefined || sent === '') continue;
    if (sent === null || (property.type !== 'array' && Array.isArray(sent))) {
      const rule = sent === null ? 'must be percent-encoded UTF-8.' : 'may be given only once.';
      return { error: new ApiError(codeOfParameter[name] ?? 'InvalidInput', `${name} ${rule}`) };
    }
    value[name] = readParameter(property, sent);
  }
  const problem = firstProblem(schema, value);
  if (problem === null) return { value };
  const name = problem.pointer.split('/')[1] ?? '';
  return { error: new ApiError(codeOfParameter[name] ?? 'InvalidInput', problemText(problem)) };
}

function unknownParameters(unknown: readonly string[], known: readonly string[]): ApiError {
  const names = firstNames(new Set(unknown));
  const verb = names.length > 1 ? 'are not query parameters' : 'is not a query parameter';
  const rule = known.length === 0 ? 'It takes no query parameters.' : `It takes ${known.join(', ')}.`;
  return new ApiError('InvalidInput', `${names.join(', ')} ${verb} of this operation. ${rule}`);
}

function readParameter(property: Property, sent: string | string[]): unknown {
  switch (property.type) {
    case 'array': {
      const values = [sent].flat().filter((value) => value !== '');
      const parts = values
        .flatMap((value) => value.split(','))
        .map((part) => (property['x-case-insensitive'] ? part.toLowerCase() : part));
      return property['x-whole-too'] ? withWhole(values, parts, property) : parts;
    }
    case 'integer':
      return typeof sent === 'string' && /^-?\d{1,15}$/.test(sent) ? Number(sent) : sent;
    case 'boolean':
      // JavaScript writes `true`, and C# writes `True`.
      return sent === 'true' || sent === 'True' ? true : sent === 'false' || sent === 'False' ? false : sent;
    default:
      // An unencoded plus sign arrives as a space: 2024-05-01T00:00:00 02:00.
      return property.format === 'date-time' && typeof sent === 'string'
        ? sent.replace(/ (?=\d\d(:?\d\d)?$)/, '+')
        : sent;
  }
}

/**
 * Returns the nonempty parts of a list, and each value as it was sent, up to the maximum list length. A value longer
 * than `maxWholeLength` can only be a list, so it isn't added.
 */
function withWhole(
  values: readonly string[],
  parts: readonly string[],
  { maxItems = 0 }: Property,
): string[] {
  const all = new Set(parts.filter((part) => part !== ''));
  for (const value of values) if (all.size < maxItems && value.length <= maxWholeLength) all.add(value);
  return [...all];
}

/** Maximum length of a value that is also matched as a whole. */
const maxWholeLength = 255;
