import type { App } from '../app-type.ts';

/**
 * Security headers for data responses, which browsers must not treat as pages. The few pages set their own. The headers
 * are constants, because building them for each request, as @fastify/helmet does, costs a tenth as much as recording a
 * purchase.
 */
export const secureHeaders = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Security headers as text, for responses that are written to the socket. */
export const headerLines = Object.entries(secureHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

export function secureAnswers(app: App): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(secureHeaders);
    done();
  });
}
