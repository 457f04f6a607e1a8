import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/app-type.ts';
import { kindOfKey } from '../key-format.ts';
import type { CountedOperation, RequestCounts } from './request-counts.ts';

/**
 * Counts requests to the publisher's API by response. Must be called before routes are registered. Requests without a
 * key, or with text that isn't a key, don't belong to a publisher and aren't counted.
 * @returns the counted operations, which are complete once all routes are registered
 */
export function countRequests(app: App, counts: RequestCounts): ReadonlySet<CountedOperation> {
  const operations = new Set<CountedOperation>();
  app.addHook('onRoute', (options) => {
    if (options.config?.key === undefined) return;
    const route = options.url.replaceAll(/:(\w+)/g, '{$1}').slice(0, 200);
    const operation = { method: String(options.method), route };
    operations.add(operation);
    const count = (request: FastifyRequest, { statusCode }: FastifyReply, done: () => void): void => {
      const { validKey } = request;
      const code = request.refusedCode ?? '';
      if (validKey !== null) counts.note(validKey, operation, statusCode, code);
      else {
        const sent = request.headers['x-shared-secret'];
        if (typeof sent === 'string' && kindOfKey(sent) !== null)
          counts.noteInvalid(sent, operation, statusCode, code);
      }
      done();
    };
    options.onResponse = [options.onResponse ?? [], count].flat();
  });
  return operations;
}
