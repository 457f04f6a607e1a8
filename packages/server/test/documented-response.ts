import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { App } from '../src/platform/http/app-type.ts';
import { parseTimestamp } from '../src/platform/timestamps.ts';

type Json = Record<string, unknown>;

interface Response {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: object }>;
}

interface Header {
  required?: boolean;
  schema: { type: string };
}

interface Webhook {
  post: { requestBody: { content: { 'application/json': { schema: object } } } };
}

interface Documented {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat('date-time', { type: 'string', validate: (text: string) => parseTimestamp(text) !== null });
ajv.addFormat('uuid', /^[0-9a-f-]{36}$/);
ajv.addFormat('uri', (text: string) => URL.canParse(text));
/** Of all applications of the process: settings change nothing in them, and to read and compile them takes a while. */
const documents: Partial<Record<'publisher' | 'admin', Json>> = {};
const validators = new WeakMap<object, ValidateFunction>();

/**
 * Fails the test when an answer is not what /openapi.json, or /admin/openapi.json, says: an undocumented status or content type, a header
 * that is missing, or a body that breaks its schema. Paths that the document does not know must be 404 (or a refused method).
 */
export function expectDocumented(app: App, method: string, path: string, answer: Documented): void {
  const document = documentOf(app, path.startsWith('/admin/') ? 'admin' : 'publisher');
  const responses = responsesOf(document, method, path);
  if (responses === null) return;
  const documented = resolve(document, responses[answer.status]) as Response | undefined;
  expect(
    documented,
    `${method} ${path} answered ${answer.status}, which is not documented: ${answer.text}`,
  ).toBeDefined();
  for (const [name, header] of Object.entries(documented?.headers ?? {}))
    expectHeader(
      resolve(document, header) as Header,
      `${name} of ${method} ${path}`,
      answer.headers.get(name),
    );
  const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const content = documented?.content?.[type];
  expect(
    content,
    `${method} ${path} answered ${answer.status} as "${type}", which is not documented`,
  ).toBeDefined();
  if (content === undefined || type !== 'application/json') return;
  expectValid(document, content.schema, answer.body, `${method} ${path}`);
}

/** Fails the test when what a receiver is sent is not what the document says of this kind of event. */
export function expectDocumentedWebhook(app: App, sent: { eventAction: string }): void {
  const document = documentOf(app);
  const { [sent.eventAction]: webhook } = document.webhooks as Record<string, Webhook>;
  const schema = webhook?.post.requestBody.content['application/json'].schema;
  expect(schema, `${sent.eventAction} is not documented`).toBeDefined();
  if (schema !== undefined) expectValid(document, schema, sent, sent.eventAction);
}

function expectValid({ components }: Json, schema: object, value: unknown, what: string): void {
  let validate = validators.get(schema);
  if (validate === undefined) {
    validate = ajv.compile({ ...schema, components });
    validators.set(schema, validate);
  }
  const isValid = validate(value);
  const text = JSON.stringify(value)?.slice(0, 500);
  expect(isValid, `${what} → ${text}: ${ajv.errorsText(validate.errors)}`).toBe(true);
}

function expectHeader({ required, schema }: Header, what: string, value: string | null): void {
  if (required) expect(value, what).not.toBeNull();
  if (schema.type === 'integer' && value !== null) expect(value, what).toMatch(/^\d+$/);
}

function documentOf(app: App, which: keyof typeof documents = 'publisher'): Json {
  documents[which] ??= asItIsToday(which === 'admin' ? app.adminDocument() : app.swagger()) as Json;
  return documents[which];
}

/**
 * The document leaves room for what later versions add: properties, and values of an enum that text may stand for.
 * This version adds none, so an answer that has some has something that the document forgot.
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

function resolve(document: Json, node: unknown): unknown {
  if (typeof node !== 'object' || node === null || !('$ref' in node)) return node;
  const steps = String(node.$ref).split('/').slice(1);
  return steps.reduce<unknown>((found, step) => (found as Json)[step], document);
}

function responsesOf(document: Json, method: string, path: string): Json | null {
  const segments = (path.split('?')[0] ?? '').replace(/\/$/, '').split('/');
  const paths = document.paths as Record<string, Record<string, { responses: Json }>>;
  const known = Object.keys(paths)
    .filter((template) => {
      const parts = template.split('/');
      return (
        parts.length === segments.length &&
        parts.every((part, index) => part.startsWith('{') || part === segments[index])
      );
    })
    // A fixed segment says more than a parameter.
    .sort((one, other) => one.split('{').length - other.split('{').length)[0];
  return (known !== undefined && paths[known]?.[method.toLowerCase()]?.responses) || null;
}
