import { expect } from 'vitest';
import type { App } from '../src/platform/http/app-type.ts';
import { type DocumentedAnswer, DocumentedApi } from './documented-answers.ts';

interface Webhook {
  post: { requestBody: { content: { 'application/json': { schema: object } } } };
}

/**
 * Documents shared by all services in the process, because compiling a document takes a while, and its
 * content doesn't depend on settings.
 */
const documents: Partial<Record<'publisher' | 'admin' | 'portal', DocumentedApi>> = {};

/**
 * Fails the test if a documented operation's response does not match /openapi.json, /admin/openapi.json or
 * /portal/openapi.json: an undocumented status or content type, a missing header, or a body that does not match its
 * schema. Responses to requests that aren't documented, such as unknown paths and methods, aren't checked.
 */
export function expectDocumented(app: App, method: string, path: string, answer: DocumentedAnswer): void {
  const api = documentOf(
    app,
    path.startsWith('/admin/') ? 'admin' : path.startsWith('/portal/') ? 'portal' : 'publisher',
  );
  const operation = api.find(method, path);
  if (operation !== null) expect(api.problemOf(operation, answer), `${method} ${path}`).toBeNull();
}

export function expectDocumentedWebhook(app: App, sent: { eventAction: string }): void {
  const api = documentOf(app);
  const { [sent.eventAction]: webhook } = api.document.webhooks as Record<string, Webhook>;
  const schema = webhook?.post.requestBody.content['application/json'].schema;
  expect(schema, `${sent.eventAction} is not documented`).toBeDefined();
  if (schema !== undefined) expect(api.problemOfBody(schema, sent, sent.eventAction)).toBeNull();
}

function documentOf(app: App, which: keyof typeof documents = 'publisher'): DocumentedApi {
  const read = {
    admin: () => app.adminDocument(),
    portal: () => app.portalDocument(),
    publisher: () => app.swagger(),
  };
  documents[which] ??= new DocumentedApi(read[which]());
  return documents[which];
}
