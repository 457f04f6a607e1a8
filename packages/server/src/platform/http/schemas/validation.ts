import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { type InputPath, joinMistakes, maxMistakes } from '../../refusal.ts';
import { parseTimestamp } from '../../timestamps.ts';
import { ApiError } from '../answers/api-error.ts';
import { onlyVisible, storable, visible } from './schemas.ts';

export interface Problem {
  /** JSON pointer to the value that the message is about, such as /3/subtotal. */
  pointer: string;
  /** JSON pointer to the mistake: an unknown property of the value, or the value itself. */
  wrongAt: string;
  message: string;
  /**
   * True if null may be the cause, either because the value is null or because the value violates a rule
   * about properties that treats null as present.
   */
  mayBeNull: boolean;
}

/** Stops at the first problem, to limit the cost of validating requests. */
const first = newValidator(false);
const every = newValidator(true);
const maxProblems = 1_000;

interface Validator {
  ajv: Ajv;
  compiled: WeakMap<object, ValidateFunction>;
}

function newValidator(allErrors: boolean): Validator {
  const ajv = new Ajv({
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    allErrors,
    strictTypes: false,
    verbose: true,
    // OpenAPI's keywords and our own.
    keywords: [
      'example',
      'x-case-insensitive',
      'x-null-is-absent',
      'x-description',
      'x-also-sent',
      'x-keeps-others',
      'x-whole-too',
    ],
  });
  ajv.addFormat('date-time', { type: 'string', validate: (text: string) => parseTimestamp(text) !== null });
  ajv.addFormat('uri', {
    type: 'string',
    validate: (text: string) => URL.canParse(text) && /^https?:/i.test(text),
  });
  ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);
  for (const name of ['int32', 'int64', 'double'])
    ajv.addFormat(name, { type: 'number', validate: () => true });
  return { ajv, compiled: new WeakMap() };
}

/** Returns the first problem with a value, or null if it is valid. Doesn't change the value. */
export function firstProblem(schema: TSchema, value: unknown): Problem | null {
  const errors = errorsOf(first, schema, value);
  if (errors.length === 0) return null;
  // The branches of a rule report their errors before the rule itself.
  const error = errors.findLast(isRule) ?? errors[0];
  if (error === undefined) throw new Error('a value failed without a reason');
  return problemOf(error);
}

/**
 * Returns all problems with a value, at most one for each place in the value. Use it only for values of
 * bounded size, such as files.
 */
export function everyProblem(schema: TSchema, value: unknown): Problem[] {
  const errors = errorsOf(every, schema, value).slice(0, maxProblems);
  // Errors from the branches of a choice are dropped, because the choice reports its own error.
  const choices = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf');
  const isOfChoice = ({ schemaPath, instancePath }: ErrorObject): boolean =>
    choices.some(
      (choice) =>
        schemaPath.startsWith(`${choice.schemaPath}/`) && instancePath.startsWith(choice.instancePath),
    );
  const byPlace = new Map<string, Problem>();
  for (const error of errors.filter((each) => !isOfChoice(each))) {
    const problem = problemOf(error);
    if (!byPlace.has(problem.wrongAt)) byPlace.set(problem.wrongAt, problem);
  }
  return [...byPlace.values()];
}

function errorsOf({ ajv, compiled }: Validator, schema: TSchema, value: unknown): ErrorObject[] {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(schema);
    compiled.set(schema, validate);
  }
  return validate(value) ? [] : (validate.errors ?? []);
}

const problemOf = (error: ErrorObject): Problem => ({
  pointer: pointerOf(error),
  wrongAt: wrongAt(error),
  message: sentence(error),
  mayBeNull: error.data === null || isRule(error),
});

/** Formats a problem for a response, such as `[3].subtotal must be …`. */
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

export const pathOf = ({ wrongAt }: Problem): InputPath =>
  wrongAt
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')));

/** Marks a body schema that treats `null` as absent for optional properties. */
export const nullIsAbsent = { 'x-null-is-absent': true };

/** Validates a value, after removing optional nulls if the schema says so. @returns the value or the error */
export function checkValue(schema: TSchema, value: unknown): { value: unknown } | { error: ApiError } {
  const problem = problemOfCreated(schema, value);
  if (problem === null) return { value };
  const mistakes = isLong(value) ? [problemText(problem)] : mistakesIn(schema, value);
  const path = pathOf(problem);
  return {
    error: new ApiError('InvalidInput', joinMistakes(mistakes), {
      path,
      mistakes: mistakes.slice(0, maxMistakes),
    }),
  };
}

/** Returns the first problem with a value, after removing optional nulls if the schema says so. */
export function problemOfCreated(schema: TSchema, value: unknown): Problem | null {
  const problem = firstProblem(schema, value);
  if (problem?.mayBeNull !== true || !isCreated(schema) || !dropNulls(schema, value)) return problem;
  return firstProblem(schema, value);
}

/**
 * Lists every mistake in a value that doesn't contain long lists. Treats null the way `problemOfCreated`
 * does.
 */
export function mistakesIn(schema: TSchema, value: unknown): string[] {
  if (isCreated(schema)) dropNulls(schema, value);
  return everyProblem(schema, value).map(problemText);
}

/**
 * Maximum number of entries or properties in a value for which all mistakes are listed. Checking larger ones would take
 * too long.
 */
const maxParts = 1_000;

function isLong(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > maxParts;
  if (typeof value !== 'object' || value === null) return false;
  const parts = Object.values(value);
  return parts.length > maxParts || parts.some((part) => Array.isArray(part) && part.length > maxParts);
}

const isCreated = (schema: object): boolean => 'x-null-is-absent' in schema;

type Shape = {
  properties?: Record<string, Shape>;
  required?: readonly string[];
  items?: Shape;
  maxItems?: number;
};

/** Removes optional properties that are null. @returns false if no properties were removed */
function dropNulls(schema: Shape, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    const { items, maxItems = value.length } = schema;
    return (
      items !== undefined &&
      value.length <= maxItems &&
      value.filter((entry) => dropNulls(items, entry)).length > 0
    );
  }
  const object = value as Record<string, unknown>;
  let dropped = false;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(object, name)) continue;
    if (object[name] !== null) dropped = dropNulls(property, object[name]) || dropped;
    else if (schema.required?.includes(name) !== true) {
      delete object[name];
      dropped = true;
    }
  }
  return dropped;
}

/** Returns whether an error comes from a rule on the properties of an object (`oneOfThese`, `anyOfThese`). */
const isRule = ({ keyword, parentSchema }: ErrorObject): boolean =>
  (keyword === 'oneOf' || keyword === 'anyOf') && parentSchema?.type === 'object';

function pointerOf({ instancePath, keyword, params }: ErrorObject): string {
  if (keyword === 'required') return `${instancePath}/${params.missingProperty}`;
  return instancePath;
}

function wrongAt(error: ErrorObject): string {
  if (error.keyword !== 'additionalProperties') return pointerOf(error);
  const name = String(error.params.additionalProperty).replaceAll('~', '~0').replaceAll('/', '~1');
  return `${error.instancePath}/${name}`;
}

function sentence({ keyword, params, parentSchema, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties': {
      const known = Object.keys(parentSchema?.properties ?? {}).join(', ');
      return `contains ${quoted(String(params.additionalProperty))}, which is not one of the allowed properties: ${known}`;
    }
    case 'type':
      return `must be ${params.type === 'integer' ? 'a whole number' : withArticle(String(params.type))}`;
    case 'enum':
      return params.allowedValues.length > 20
        ? 'is not an allowed value. The API reference at /docs lists all values'
        : `must be one of ${params.allowedValues.join(', ')}`;
    case 'format':
      return params.format === 'date-time'
        ? 'must be a timestamp such as 2024-05-01T12:00:00Z, with Z or an offset, from 1970 to 2100'
        : params.format === 'uri'
          ? 'must be an http or https URL'
          : `must be a ${params.format}`;
    case 'pattern':
      if (params.pattern === storable) return 'must be well-formed Unicode without U+0000';
      if (params.pattern === visible) return `must be ${onlyVisible}`;
      return parentSchema?.description
        ? `must be: ${parentSchema.description}`
        : 'contains characters that are not allowed';
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
    case 'minProperties':
      return `requires ${Object.keys(parentSchema?.properties ?? {}).join(' or ')}`;
    case 'oneOf':
      return `requires either ${namesOf(parentSchema?.oneOf)}, but not both`;
    case 'anyOf':
      if (parentSchema?.type === 'object') return `requires ${namesOf(parentSchema.anyOf)}`;
      return parentSchema?.description
        ? `must be: ${parentSchema.description}`
        : 'does not match any of the allowed forms';
    default:
      return message ?? 'is not allowed';
  }
}

const namesOf = (branches: readonly { required: readonly string[] }[]): string =>
  branches.flatMap(({ required }) => required).join(' or ');

/** Quotes a name from a request, after shortening it and making it well-formed. */
const quoted = (name: string): string =>
  JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name).toWellFormed();

const withArticle = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
