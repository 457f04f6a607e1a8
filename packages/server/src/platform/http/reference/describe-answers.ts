import { type Answer, type ApiDocument, operationsOf } from './api-document.ts';

const headers = {
  'X-Request-Id': {
    required: true,
    description:
      'Names the request in the log: yours, when you sent one of 1 to 64 letters, digits and . _ : -',
    schema: { type: 'string', example: '01a1fdb8-cbcc-76c3-b6f4-5c901270ec4a' },
  },
  'Retry-After': {
    required: true,
    description: 'Seconds after which trying again makes sense.',
    schema: { type: 'integer', minimum: 1, example: 1 },
  },
};

/** Refusals that are the same wherever they happen. */
const shared: Readonly<Record<string, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  429: 'RateLimited',
  500: 'UnknownError',
  503: 'Unavailable',
};
const saysWhenToRetry: ReadonlySet<string> = new Set(['429', '503']);

/** Says the headers that answers carry, and what is refused alike everywhere once. */
export function describeAnswers(document: ApiDocument): ApiDocument {
  const responses: Record<string, Answer> = {};
  for (const operation of operationsOf(document)) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      if ('$ref' in answer) continue;
      answer.headers = {
        ...answer.headers,
        ...(saysWhenToRetry.has(status) && reference('headers', 'Retry-After')),
        ...reference('headers', 'X-Request-Id'),
      };
      const name = shared[status];
      if (name === undefined) continue;
      responses[name] ??= answer;
      if (JSON.stringify(responses[name]) === JSON.stringify(answer))
        operation.responses[status] = { $ref: `#/components/responses/${name}` };
    }
    if (operation['x-body-is-optional'] && operation.requestBody) operation.requestBody.required = false;
    delete operation['x-body-is-optional'];
  }
  return { ...document, components: { ...document.components, headers, responses } };
}

const reference = (kind: string, name: string) => ({ [name]: { $ref: `#/components/${kind}/${name}` } });
