import type { RefusalCode } from '../../refusal.ts';
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

/** Refusals that are the same wherever they happen: what they are called, and how one reads. */
const shared: Readonly<Record<string, { name: string; code: RefusalCode; message: string }>> = {
  401: {
    name: 'Unauthorized',
    code: 'Unauthorized',
    message: 'Send a valid API key in the header X-SHARED-SECRET.',
  },
  403: {
    name: 'Forbidden',
    code: 'Forbidden',
    message: 'This operation requires a secret API key, but the request has a public one.',
  },
  413: {
    name: 'PayloadTooLarge',
    code: 'PayloadTooLarge',
    message: 'The body is larger than 5 MiB; send fewer entries at a time.',
  },
  415: {
    name: 'UnsupportedMediaType',
    code: 'InvalidInput',
    message: 'The content type is not one this operation reads; /docs names them.',
  },
  429: {
    name: 'RateLimited',
    code: 'RateLimited',
    message: 'This API key has exceeded its requests per second. Try again in a second.',
  },
  500: {
    name: 'UnknownError',
    code: 'UnknownError',
    message: 'Something unexpected went wrong on our side; the request id leads to the log.',
  },
  503: {
    name: 'Unavailable',
    code: 'Unavailable',
    message: 'The database is busy with what this request needs; send it again.',
  },
};
const saysWhenToRetry: ReadonlySet<string> = new Set(['429', '503']);

/**
 * Says the headers that answers carry, how lists of a query are repeated, and what is refused alike everywhere once.
 */
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
