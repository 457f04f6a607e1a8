import type { TSchema } from 'typebox';
import type { RefusalCode } from '../../refusal.ts';
import { ApiError } from '../answers/api-error.ts';
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

/** Marks a list whose values may have commas of their own: each is taken whole, and in its parts. */
export const wholeToo = { 'x-whole-too': true };

const none: Pairs = Object.freeze({});
/** The parser of HTTP passes bytes of 128 and more on as they are, one character each. */
const ascii = /^[\x21-\x7e]*$/;

/** Reads a query string for the router, which has no way to refuse one: `checkQuery` does. */
export const parseQuery = (text: string): Pairs => (text === '' ? none : parsePairs(text, ascii));

/** Reads a query's numbers, booleans and lists, and checks them. Empty parameters count as absent. */
export function checkQuery(
  schema: TSchema,
  query: Pairs,
): { value: Record<string, unknown> } | { error: ApiError } {
  const properties = (schema as { properties?: Record<string, Property> }).properties ?? {};
  const value: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const sent = query[name];
    if (sent === undefined || sent === '') continue;
    if (sent === null || (property.type !== 'array' && Array.isArray(sent))) {
      const rule = sent === null ? 'must be percent-encoded UTF-8.' : 'may be given once only.';
      return { error: new ApiError(codeOfParameter[name] ?? 'InvalidInput', `${name} ${rule}`) };
    }
    value[name] = readParameter(property, sent);
  }
  const problem = firstProblem(schema, value);
  if (problem === null) return { value };
  const name = problem.pointer.split('/')[1] ?? '';
  return { error: new ApiError(codeOfParameter[name] ?? 'InvalidInput', problemText(problem)) };
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
      // As JavaScript writes them, and as C# does.
      return sent === 'true' || sent === 'True' ? true : sent === 'false' || sent === 'False' ? false : sent;
    default:
      // A plus sign that nobody encoded arrives as a space: 2024-05-01T00:00:00 02:00.
      return property.format === 'date-time' && typeof sent === 'string'
        ? sent.replace(/ (?=\d\d(:?\d\d)?$)/, '+')
        : sent;
  }
}

/** Adds values that have commas to their parts, as long as there is room: what is too long was a list. */
function withWhole(
  values: readonly string[],
  parts: readonly string[],
  { maxItems = 0 }: Property,
): string[] {
  const all = new Set(parts.filter((part) => part !== ''));
  for (const value of values) if (all.size < maxItems && value.length <= maxWholeLength) all.add(value);
  return [...all];
}

/** The longest text that such a value may be. */
const maxWholeLength = 255;
