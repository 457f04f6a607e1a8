import { expect, it } from 'vitest';
import { addExamples } from './add-examples.ts';
import type { ApiDocument } from './api-document.ts';

const document = (): ApiDocument => ({
  components: {},
  paths: {
    '/things/{id}': {
      put: {
        operationId: 'putThing',
        parameters: [{ name: 'id' }],
        requestBody: { content: { 'application/json': { schema: {} } } },
        responses: {
          200: { description: '', content: { 'application/json': { schema: {} } } },
          409: { description: '', content: { 'text/plain': { schema: {} } } },
        },
      },
    },
  },
});
const one = { parameters: { id: 'a' }, body: { n: 1 }, answer: { id: 'a', n: 1 } };

it('adds a single example to the parameters, body and response', () => {
  const { put } = addExamples(document(), { putThing: [one] }).paths['/things/{id}'] ?? {};
  expect(put).toMatchObject({
    parameters: [{ name: 'id', example: 'a' }],
    requestBody: { content: { 'application/json': { example: { n: 1 } } } },
    responses: { 200: { content: { 'application/json': { example: { id: 'a', n: 1 } } } } },
  });
});

it('names several examples by their summaries, in the request and in the response', () => {
  const refused = { ...one, summary: 'One that is there', status: 409, answer: 'Conflict' };
  const examples = { putThing: [{ ...one, summary: 'A new one' }, refused] };
  const { put } = addExamples(document(), examples).paths['/things/{id}'] ?? {};
  expect(Object.keys(put?.requestBody?.content['application/json']?.examples ?? {})).toEqual([
    'aNewOne',
    'oneThatIsThere',
  ]);
  expect(put?.responses[409]).toMatchObject({
    content: { 'text/plain': { examples: { oneThatIsThere: { value: 'Conflict' } } } },
  });
});

it.each([
  ['an operation without an example', {}, 'putThing has no example'],
  ['an example without its operation', { putThing: [one], getThing: [one] }, 'examples of getThing'],
  ['a response that the operation does not have', { putThing: [{ ...one, status: 404 }] }, 'no 404 response'],
  ['a response of another type', { putThing: [{ ...one, answer: 'text' }] }, 'no 200 response of that type'],
])('throws for %s', (_name, examples, message) => {
  expect(() => addExamples(document(), examples)).toThrow(message);
});
