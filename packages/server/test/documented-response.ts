import { expect } from 'vitest';
import type { App } from '../src/platform/http/app-type.ts';
import { type DocumentedAnswer, DocumentedApi } from './documented-answers.ts';

interface Webhook {
  post: { requestBody: { content: { 'application/json': { schema: object } } } };
}

/** Of all applications of the process: settings change nothing in them, and to read and compile them takes a while. */
const documents: Partial<Record<'publisher' | 'admin', DocumentedApi>> = {};

/**
 * Fails the test when an answer is not what /openapi.json, or /admin/openapi.json, says: an undocumented status or content type, a header
 * that is missing, or a body that breaks its schema. Paths that the document does not know must be 404 (or a refused method).
 */
export function expectDocumented(app: App, method: string, path: string, answer: DocumentedAnswer): void {
  const api = documentOf(app, path.startsWith('/admin/') ? 'admin' : 'publisher');
  const operation = api.find(method, path);
  if (operation !== null) expect(api.problemOf(operation, answer), `${method} ${path}`).toBeNull();
}

/** Fails the test when what a receiver is sent is not what the document says of this kind of event. */
export function expectDocumentedWebhook(app: App, sent: { eventAction: string }): void {
  const api = documentOf(app);
  const { [sent.eventAction]: webhook } = api.document.webhooks as Record<string, Webhook>;
  const schema = webhook?.post.requestBody.content['application/json'].schema;
  expect(schema, `${sent.eventAction} is not documented`).toBeDefined();
  if (schema !== undefined) expect(api.problemOfBody(schema, sent, sent.eventAction)).toBeNull();
}

function documentOf(app: App, which: keyof typeof documents = 'publisher'): DocumentedApi {
  documents[which] ??= new DocumentedApi(which === 'admin' ? app.adminDocument() : app.swagger());
  return documents[which];
}
