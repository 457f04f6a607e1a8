import Fastify, { type FastifyInstance } from 'fastify';
import type { App } from './app-type.ts';

/** The page asks nobody else for anything: fonts, telemetry, proxy and agents are off. */
const settings = {
  url: '/openapi.json',
  pageTitle: 'Creator attribution API',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never', // its buttons lead to services of somebody else
  authentication: { preferredSecurityScheme: 'secretKey' },
  documentDownloadType: 'json',
};

/**
 * Serves /docs. The reference's script is 4 MB, so it is loaded into memory by the first reader, and never
 * where nobody reads: a small application of its own answers for everything below /docs.
 */
export function apiReferenceRoutes(app: App): void {
  // Who opens the service's address in a browser wants to know what it is.
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs'));
  let reference: Promise<FastifyInstance> | null = null;
  for (const url of ['/docs', '/docs/*']) {
    app.get(url, { schema: { hide: true } }, async (request, reply) => {
      reference ??= loadReference();
      const answer = await (await reference).inject({ method: 'GET', url: request.url });
      reply.code(answer.statusCode);
      for (const name of ['content-type', 'location', 'cache-control']) {
        const value = answer.headers[name];
        if (value !== undefined) reply.header(name, value);
      }
      return reply.send(answer.rawPayload);
    });
  }
}

async function loadReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const reference = Fastify();
  await reference.register(scalar, {
    routePrefix: '/docs',
    openApiDocumentEndpoints: { json: '/document.json', yaml: '/document.yaml' },
    configuration: settings as never,
  });
  return reference;
}
