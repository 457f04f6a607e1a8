import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { App } from '../src/platform/http/app-type.ts';
import { parseTimestamp } from '../src/platform/timestamps.ts';

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
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
const validators = new WeakMap<object, ValidateFunction>();

/**
 * Fails the test when an answer is not what /openapi.json says: an undocumented status or content type, or
 * a body that breaks its schema. Paths that the document does not know must be 404 (or a refused method).
 */
export function expectDocumented(app: App, method: string, path: string, answer: Documented): void {
  const operation = operationOf(app, method, path);
  if (operation === null) return;
  const documented = operation.responses[answer.status];
  expect(
    documented,
    `${method} ${path} answered ${answer.status}, which is not documented: ${answer.text}`,
  ).toBeDefined();
  const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const content = documented?.content?.[type];
  expect(
    content,
    `${method} ${path} answered ${answer.status} as "${type}", which is not documented`,
  ).toBeDefined();
  if (content === undefined || type !== 'application/json') return;
  let validate = validators.get(content.schema);
  if (validate === undefined) {
    validate = ajv.compile(content.schema);
    validators.set(content.schema, validate);
  }
  const isValid = validate(answer.body);
  expect(
    isValid,
    `${method} ${path} → ${answer.text.slice(0, 500)}: ${ajv.errorsText(validate.errors)}`,
  ).toBe(true);
}

function operationOf(app: App, method: string, path: string): Operation | null {
  const segments = (path.split('?')[0] ?? '').replace(/\/$/, '').split('/');
  const { paths = {} } = app.swagger() as unknown as { paths?: Record<string, Record<string, Operation>> };
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
  return (known !== undefined && paths[known]?.[method.toLowerCase()]) || null;
}
