import type { App } from '../app-type.ts';

/**
 * Security headers for data responses, which browsers must neither treat as pages nor cache. Policies for scripts, frames
 * and referrers have no meaning for data; the few pages set them. The headers are constants, because building them for
 * each request, as @fastify/helmet does, costs a tenth as much as recording a purchase.
 */
export const secureHeaders = {
  'x-content-type-options': 'nosniff',
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
