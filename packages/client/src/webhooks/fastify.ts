import { createReceiver, type HandlerOptions, type HandleWebhook } from './receiver.ts';
import { maxBodyBytes } from './verify-webhook.ts';

export type { HandlerOptions, HandleWebhook } from './receiver.ts';

/** Subset of Fastify's request that the plugin uses. */
export interface FastifyRequest {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Subset of Fastify's reply that the plugin uses. */
export interface FastifyReply {
  code(status: number): unknown;
  type(contentType: string): unknown;
}

/** Subset of Fastify's instance that the plugin uses. */
export interface FastifyScope {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown;
  post(
    path: string,
    options: { bodyLimit: number },
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ): unknown;
}

/**
 * Creates a plugin for Fastify with one route, `POST path`. The plugin doesn't parse bodies; the rest of the
 * application keeps its parsers. The route responds with 200, 403 for a request that is not from the service,
 * 400 for a body that is not an event, 413 for more than 1 MiB, and 500 if the handler throws.
 * @param secret the endpoint's secret, or several during a rotation
 * @throws TypeError if the secret is invalid
 */
export function webhookPlugin(
  path: string,
  secret: string | readonly string[],
  handle: HandleWebhook,
  options?: HandlerOptions,
): (scope: FastifyScope) => Promise<void> {
  const receiver = createReceiver(secret, handle, options);
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.post(path, { bodyLimit: maxBodyBytes }, async (request, reply) => {
      const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
      const { status, text } = await receiver.answer(body, request.headers);
      reply.code(status);
      reply.type('text/plain; charset=utf-8');
      return `${text}\n`;
    });
  };
}
