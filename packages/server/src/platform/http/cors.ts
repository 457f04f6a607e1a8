import type { App } from './app-type.ts';

const exposed =
  'X-Next-Cursor, Link, X-Total-Count, X-Request-Id, X-Warning, Retry-After, RateLimit, RateLimit-Policy';
/** Headers that browsers may send. Tracing in browsers adds traceparent and tracestate to every request. */
const allowed = 'X-SHARED-SECRET, Content-Type, X-Request-Id, X-Strict, traceparent, tracestate';

/**
 * Lets browsers call public operations from any origin. Operations that require a secret key can't be called
 * from browsers, where secret keys don't belong. A path may have operations of both kinds, so the response to
 * a preflight depends on the requested method. Must be called before routes are registered.
 */
export function allowPublicOrigins(app: App): void {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.key !== 'public') return;
    const known = methodsOf.get(url);
    const methods = known ?? new Set<string>();
    for (const each of [method].flat()) methods.add(each);
    if (known !== undefined) return;
    methodsOf.set(url, methods);
    app.options(url, { schema: { hide: true } }, (request, reply) => {
      const wanted = request.headers['access-control-request-method'] ?? '';
      if (methods.has(wanted)) {
        reply.header('access-control-allow-origin', '*');
        reply.header('access-control-allow-methods', wanted);
        reply.header('access-control-allow-headers', allowed);
        reply.header('access-control-max-age', '600');
      }
      return reply.code(204).send();
    });
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config?.key === 'public') {
      reply.header('access-control-allow-origin', '*');
      reply.header('access-control-expose-headers', exposed);
    }
    done();
  });
}
