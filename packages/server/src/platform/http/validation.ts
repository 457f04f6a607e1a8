import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { parseTimestamp } from '../timestamps.ts';
import { ApiError, type ErrorCode } from './api-error.ts';

/** The first problem of a value, as a person would say it: where, and what it must be. */
export interface Problem {
  /** JSON pointer of the value, such as /3/subtotal. */
  pointer: string;
  message: string;
}

const ajv = new Ajv({
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  strictTypes: false,
  verbose: true,
  // Words of OpenAPI, and our own marks on query parameters.
  keywords: ['example', 'x-case-insensitive'],
});
ajv.addFormat('date-time', { type: 'string', validate: (text: string) => parseTimestamp(text) !== null });
ajv.addFormat('uri', {
  type: 'string',
  validate: (text: string) => URL.canParse(text) && /^https?:/i.test(text),
});
ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);
for (const name of ['int32', 'int64', 'double'])
  ajv.addFormat(name, { type: 'number', validate: () => true });

const compiled = new WeakMap<object, ValidateFunction>();

/** @returns the first problem of a value, or null; nothing is coerced, removed or filled in */
export function firstProblem(schema: TSchema, value: unknown): Problem | null {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(schema);
    compiled.set(schema, validate);
  }
  if (validate(value)) return null;
  const [error] = validate.errors ?? [];
  if (error === undefined) throw new Error('a value failed without a reason');
  return { pointer: pointerOf(error), message: sentence(error) };
}

/** The text of a problem for an answer: `[3].subtotal must be …`. */
export function problemText({ pointer, message }: Problem): string {
  const place = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
  return `${place === '' ? 'The body' : place} ${message}`;
}

/** Checks bodies and path parameters as they are, and query strings after reading their numbers. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  httpPart === 'querystring'
    ? (query: Record<string, unknown>) => validateQuery(schema, query)
    : (value: unknown) => {
        const problem = firstProblem(schema, value);
        return problem === null ? { value } : { error: new ApiError('InvalidInput', problemText(problem)) };
      };

const codeOfParameter: Readonly<Record<string, ErrorCode>> = {
  page: 'InvalidPage',
  pageSize: 'InvalidPageSize',
  status: 'InvalidStatus',
  origin: 'InvalidOrigin',
  sort: 'InvalidSort',
  startDate: 'InvalidDate',
  endDate: 'InvalidDate',
  codeScope: 'InvalidCodeScope',
  cursor: 'InvalidCursor',
};

type Property = { type?: string; format?: string; 'x-case-insensitive'?: boolean };

function validateQuery(schema: TSchema, query: Record<string, unknown>) {
  const properties = (schema as { properties?: Record<string, Property> }).properties ?? {};
  const value: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const sent = query[name];
    if (sent === undefined || (name === 'groupId' && sent === '')) continue;
    if (property.type !== 'array' && Array.isArray(sent)) {
      return {
        error: new ApiError(codeOfParameter[name] ?? 'InvalidInput', `${name} may be given once only.`),
      };
    }
    value[name] = readParameter(property, sent as string | string[]);
  }
  const problem = firstProblem(schema, value);
  if (problem === null) return { value };
  const name = problem.pointer.split('/')[1] ?? '';
  return { error: new ApiError(codeOfParameter[name] ?? 'InvalidInput', problemText(problem)) };
}

function readParameter(property: Property, sent: string | string[]): unknown {
  switch (property.type) {
    case 'array':
      return [sent]
        .flat()
        .flatMap((part) => part.split(','))
        .map((part) => (property['x-case-insensitive'] ? part.toLowerCase() : part));
    case 'integer':
      return typeof sent === 'string' && /^\d{1,9}$/.test(sent) ? Number(sent) : sent;
    case 'boolean':
      return sent === 'true' ? true : sent === 'false' ? false : sent;
    default:
      // A plus sign that nobody encoded arrives as a space: 2024-05-01T00:00:00 02:00.
      return property.format === 'date-time' && typeof sent === 'string'
        ? sent.replace(/ (?=\d\d:\d\d$)/, '+')
        : sent;
  }
}

function pointerOf({ instancePath, keyword, params }: ErrorObject): string {
  if (keyword === 'required') return `${instancePath}/${params.missingProperty}`;
  if (keyword === 'additionalProperties') return `${instancePath}/${params.additionalProperty}`;
  return instancePath;
}

function sentence({ keyword, params, parentSchema, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a known property';
    case 'type':
      return `must be ${params.type === 'integer' ? 'a whole number' : withArticle(String(params.type))}`;
    case 'enum':
      return params.allowedValues.length > 20
        ? 'is not one of the allowed values; /docs lists them'
        : `must be one of ${params.allowedValues.join(', ')}`;
    case 'format':
      return params.format === 'date-time'
        ? 'must be a timestamp such as 2024-05-01T12:00:00Z, with Z or an offset, from 1970 to 2100'
        : params.format === 'uri'
          ? 'must be an http or https address'
          : `must be a ${params.format}`;
    case 'pattern':
      return parentSchema?.description
        ? `must be: ${parentSchema.description}`
        : 'has characters that are not allowed';
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`;
    case 'maxLength':
      return `must have at most ${params.limit} characters`;
    case 'minItems':
      return `must have at least ${params.limit} ${params.limit === 1 ? 'entry' : 'entries'}`;
    case 'maxItems':
      return `must have at most ${params.limit} entries`;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'anyOf':
      return parentSchema?.description
        ? `must be: ${parentSchema.description}`
        : 'has none of the allowed forms';
    default:
      return message ?? 'is not allowed';
  }
}

const withArticle = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
