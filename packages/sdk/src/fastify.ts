import { createReceiver, type HandlerOptions, type HandleWebhook } from './receiver.ts';
import { maxBodyBytes } from './verify-webhook.ts';

export type { HandlerOptions, HandleWebhook } from './receiver.ts';

/** What is needed of Fastify's request. */
export interface FastifyRequest {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What is needed of Fastify's reply. */
export interface FastifyReply {
  code(status: number): unknown;
  type(contentType: string): unknown;
}

/** What is needed of Fastify's instance. */
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
 * A plugin for Fastify with one route, `POST path`. Inside the plugin bodies stay bytes; the rest of the
 * application keeps its parsers. It answers 200, 403 for a request that is not from the service, 400 for a
 * body that is no event, 413 for more than 1 MiB, 500 when the handler throws.
 * @param secret the endpoint's secret; several while you change it
 * @throws TypeError when the secret cannot be right
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
