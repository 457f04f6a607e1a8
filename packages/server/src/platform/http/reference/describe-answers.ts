import type { RefusalCode } from '../../refusal.ts';
import { type Answer, type ApiDocument, operationsOf } from './api-document.ts';

const headers = {
  'X-Request-Id': {
    required: true,
    description:
      'Id of the request in the log. An id that you sent is used if it consists of 1 to 64 letters, digits and . _ : -',
    schema: { type: 'string', example: '01a1fdb8-cbcc-76c3-b6f4-5c901270ec4a' },
  },
  'Retry-After': {
    required: true,
    description: 'Seconds to wait before a retry.',
    schema: { type: 'integer', minimum: 1, example: 1 },
  },
};

/** Name and example of each refusal that all operations share, by status. */
const shared: Readonly<Record<string, { name: string; code: RefusalCode; message: string }>> = {
  401: {
    name: 'Unauthorized',
    code: 'Unauthorized',
    message: 'Send a valid API key in the X-SHARED-SECRET header.',
  },
  403: {
    name: 'Forbidden',
    code: 'Forbidden',
    message: 'This operation requires a secret API key, but the request has a public one.',
  },
  413: {
    name: 'PayloadTooLarge',
    code: 'PayloadTooLarge',
    message: 'The body is larger than 5 MiB. Send fewer entries at a time.',
  },
  415: {
    name: 'UnsupportedMediaType',
    code: 'InvalidInput',
    message: 'This operation does not support this content type. See /docs.',
  },
  429: {
    name: 'RateLimited',
    code: 'RateLimited',
    message: 'This API key has exceeded its rate limit. Try again in a second.',
  },
  500: {
    name: 'UnknownError',
    code: 'UnknownError',
    message: 'An unexpected error occurred. Look up the request id in the log for details.',
  },
  503: {
    name: 'Unavailable',
    code: 'Unavailable',
    message: 'The database is busy. Retry the request.',
  },
};
const hasRetryAfter: ReadonlySet<string> = new Set(['429', '503']);

/** Adds response headers, the format of lists in queries, and shared refusals to the document. */
export function describeAnswers(document: ApiDocument): ApiDocument {
  const responses: Record<string, Answer> = {};
  for (const operation of operationsOf(document)) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      if ('$ref' in answer) continue;
      answer.headers = {
        ...answer.headers,
        ...(hasRetryAfter.has(status) && reference('headers', 'Retry-After')),
        ...reference('headers', 'X-Request-Id'),
      };
      const refusal = shared[status];
      const media = answer.content?.['application/json'];
      if (refusal === undefined || media === undefined) continue;
      const { name, ...example } = refusal;
      media.example = example;
      responses[name] ??= answer;
      if (JSON.stringify(responses[name]) === JSON.stringify(answer))
        operation.responses[status] = { $ref: `#/components/responses/${name}` };
    }
    for (const parameter of operation.parameters ?? [])
      if (parameter.schema?.type === 'array') Object.assign(parameter, { style: 'form', explode: true });
    if (operation['x-body-is-optional'] && operation.requestBody) operation.requestBody.required = false;
    delete operation['x-body-is-optional'];
  }
  return {
    ...document,
    components: {
      ...document.components,
      headers: { ...document.components.headers, ...headers },
      responses,
    },
  };
}

const reference = (kind: string, name: string) => ({ [name]: { $ref: `#/components/${kind}/${name}` } });
