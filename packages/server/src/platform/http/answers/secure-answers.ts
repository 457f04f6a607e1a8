import type { App } from '../app-type.ts';

/**
 * Headers that let a browser do nothing with answers: they are data for their caller, not pages; the few pages set their
 * own. Written out because they never change: @fastify/helmet builds them for each request, which costs a tenth of what
 * recording a purchase does.
 */
export const secureHeaders = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Security headers as text, for an answer that is written by hand. */
export const headerLines = Object.entries(secureHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

export function secureAnswers(app: App): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(secureHeaders);
    done();
  });
}
