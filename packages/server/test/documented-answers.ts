import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parseTimestamp } from '../src/platform/timestamps.ts';

export type Json = Record<string, unknown>;

export interface Operation {
  method: string;
  /** Path with parameters in braces. */
  path: string;
  operationId: string;
  // biome-ignore lint/suspicious/noExplicitAny: the document contains parameters and bodies of any shape
  said: any;
}

interface Response {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: object }>;
}

interface Header {
  required?: boolean;
  schema: { type: string };
}

export interface DocumentedAnswer {
  status: number;
  headers: Pick<Headers, 'get'>;
  text: string;
  body: unknown;
}

const methods: readonly string[] = ['get', 'put', 'post', 'delete', 'patch'];

/** API document with its descriptions of responses. Schemas are compiled on first use. */
export class DocumentedApi {
  readonly document: Json;
  readonly operations: readonly Operation[];
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new WeakMap<object, ValidateFunction>();
  /**
   * Paths by number of segments. Paths with the fewest parameters come first, because a fixed segment is more
   * specific.
   */
  readonly #paths = new Map<number, { parts: readonly string[]; path: string }[]>();

  constructor(document: object) {
    this.#ajv.addFormat('date-time', { type: 'string', validate: (text) => parseTimestamp(text) !== null });
    this.#ajv.addFormat('uuid', /^[0-9a-f-]{36}$/);
    this.#ajv.addFormat('uri', (text: string) => URL.canParse(text));
    this.document = asItIsToday(document) as Json;
    const paths = this.document.paths as Record<string, Record<string, Json>>;
    this.operations = Object.entries(paths).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const said = item[method];
        const operationId = String(said?.operationId);
        return said === undefined ? [] : [{ method: method.toUpperCase(), path, operationId, said }];
      }),
    );
    for (const path of Object.keys(paths).sort(
      (one, other) => one.split('{').length - other.split('{').length,
    )) {
      const parts = path.split('/');
      const known = this.#paths.get(parts.length);
      if (known === undefined) this.#paths.set(parts.length, [{ parts, path }]);
      else known.push({ parts, path });
    }
  }

  /** @returns the request's operation; null if it isn't documented */
  find(method: string, path: string): Operation | null {
    const segments = (path.split('?')[0] ?? '').replace(/\/$/, '').split('/');
    const found = this.#paths
      .get(segments.length)
      ?.find(({ parts }) => parts.every((part, at) => part.startsWith('{') || part === segments[at]));
    return (
      this.operations.find((each) => each.path === found?.path && each.method === method.toUpperCase()) ??
      null
    );
  }

  /**
   * Compares a response's status, content type, headers and body with the document. @returns the difference; null if
   * there is none
   */
  problemOf(
    { method, path, said }: Operation,
    { status, headers, text, body }: DocumentedAnswer,
  ): string | null {
    const what = `${method} ${path} answered ${status}`;
    const documented = this.resolve(said.responses[status]) as Response | undefined;
    if (documented === undefined) return `${what}, which is not documented: ${text.slice(0, 500)}`;
    for (const [name, header] of Object.entries(documented.headers ?? {})) {
      const { required, schema } = this.resolve(header) as Header;
      const value = headers.get(name);
      if (value === null ? required : schema.type === 'integer' && !/^\d+$/.test(value))
        return `${what} with the header ${name}: ${value}`;
    }
    if (documented.content === undefined && text === '') return null;
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
    const content = documented.content?.[type];
    if (content === undefined) return `${what} as "${type}", which is not documented`;
    return type === 'application/json' ? this.problemOfBody(content.schema, body, what) : null;
  }

  /** @returns why a value does not match a schema in the document; null if it matches */
  problemOfBody(schema: object, value: unknown, what: string): string | null {
    let validate = this.#validators.get(schema);
    if (validate === undefined) {
      validate = this.#ajv.compile({ ...schema, components: this.document.components });
      this.#validators.set(schema, validate);
    }
    if (validate(value)) return null;
    return `${what}: ${this.#ajv.errorsText(validate.errors)} in ${JSON.stringify(value)?.slice(0, 500)}`;
  }

  resolve(node: unknown): unknown {
    if (typeof node !== 'object' || node === null || !('$ref' in node)) return node;
    const steps = String(node.$ref).split('/').slice(1);
    return steps.reduce<unknown>((found, step) => (found as Json)[step], this.document);
  }
}

/**
 * Removes the document's allowance for properties and enum values that later versions may add. This version
 * adds none, so an unknown property or value in a response is one that the document omits.
 */
function asItIsToday(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asItIsToday);
  if (typeof value !== 'object' || value === null) return value;
  const node: Json = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asItIsToday(each)]));
  if ('properties' in node && node.type === 'object') node.additionalProperties ??= false;
  if (Array.isArray(node.anyOf) && node.anyOf.some(({ enum: known }) => known !== undefined))
    node.anyOf = node.anyOf.filter(({ type, enum: known }) => type !== 'string' || known !== undefined);
  return node;
}
