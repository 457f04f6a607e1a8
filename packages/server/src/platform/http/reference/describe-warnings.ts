import { type ApiDocument, operationsOf } from './api-document.ts';

const warning = {
  description:
    'What of the request was ignored, or taken in a way that may surprise, with commas: `unknown-property skuID` names a property or query parameter that the operation does not know.',
  schema: { type: 'string', example: 'unknown-property skuID' },
};

const strict = {
  name: 'X-Strict',
  in: 'header',
  required: false,
  description:
    'true: a property or query parameter that the operation does not know is refused with 400, not ignored.',
  schema: { type: 'boolean' },
};

/** Answers that come before a request's names are looked at, or without them. */
const warnsOfNothing: ReadonlySet<string> = new Set(['401', '403', '429', '500', '503']);

/** Adds to every operation how it takes names that it does not know. */
export function describeWarnings(document: ApiDocument): ApiDocument {
  for (const operation of operationsOf(document)) {
    operation.parameters = [...(operation.parameters ?? []), strict];
    for (const [status, answer] of Object.entries(operation.responses))
      if (!('$ref' in answer) && !warnsOfNothing.has(status))
        answer.headers = { ...answer.headers, 'X-Warning': { $ref: '#/components/headers/X-Warning' } };
  }
  const { headers = {} } = document.components;
  return {
    ...document,
    components: { ...document.components, headers: { ...headers, 'X-Warning': warning } },
  };
}
