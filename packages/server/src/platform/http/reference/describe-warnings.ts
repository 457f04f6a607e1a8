import { type ApiDocument, operationsOf } from './api-document.ts';

const warning = {
  description:
    'Comma-separated warnings about parts of the request that were ignored or handled in an unexpected way. `unknown-property skuID` names a property or query parameter that the operation does not recognize.',
  schema: { type: 'string', example: 'unknown-property skuID' },
};

const strict = {
  name: 'X-Strict',
  in: 'header',
  required: false,
  description:
    'If true, unknown properties and query parameters are rejected with 400 instead of being ignored.',
  schema: { type: 'boolean' },
};

/** Statuses of responses that are sent before the names in the request are checked. */
const warnsOfNothing: ReadonlySet<string> = new Set(['401', '403', '429', '500', '503']);

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
