import { type ApiDocument, type Media, type Operation, operationsOf } from './api-document.ts';

/**
 * Example request and its response. Together, the examples tell one story, which a test replays against the
 * service.
 */
export interface Example {
  /** Required if an operation has several examples. */
  summary?: string;
  parameters?: Readonly<Record<string, unknown>>;
  body?: unknown;
  /** Defaults to 200. */
  status?: number;
  answer: unknown;
}

/** Examples by operationId. */
export type Examples = Readonly<Record<string, readonly Example[]>>;

/** Adds examples to the document. @throws Error for an operation without an example or an example without an operation */
export function addExamples(document: ApiDocument, examples: Examples): ApiDocument {
  const left = new Set(Object.keys(examples));
  for (const operation of operationsOf(document)) {
    left.delete(operation.operationId);
    const [first, ...others] = examples[operation.operationId] ?? [];
    if (first === undefined) throw new Error(`${operation.operationId} has no example`);
    addTo(operation, first, others.length > 0);
    for (const other of others) addTo(operation, other, true);
  }
  if (left.size > 0) throw new Error(`there are examples of ${[...left].join(', ')}, but no such operations`);
  return document;
}

function addTo(operation: Operation, example: Example, isOneOfSeveral: boolean): void {
  const { summary = operation.operationId, parameters = {}, status = 200, answer } = example;
  const show = (shown: Pick<Media, 'example' | 'examples'>, value: unknown): void => {
    if (!isOneOfSeveral) shown.example = value;
    else shown.examples = { ...shown.examples, [camelCase(summary)]: { summary, value } };
  };
  for (const parameter of operation.parameters ?? [])
    if (parameter.name in parameters) show(parameter, parameters[parameter.name]);
  const body = 'body' in example && Object.values(operation.requestBody?.content ?? {});
  for (const media of body || []) show(media, example.body);
  const answers = operation.responses[status];
  const content = answers !== undefined && 'content' in answers ? answers.content : undefined;
  const media = content?.[typeof answer === 'string' ? 'text/plain' : 'application/json'];
  if (media === undefined) throw new Error(`${operation.operationId} has no ${status} response of that type`);
  show(media, answer);
}

const camelCase = (words: string): string =>
  words.toLowerCase().replace(/[^a-z]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase());
