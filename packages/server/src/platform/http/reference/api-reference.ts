import Fastify from 'fastify';
import { sharedAnswer } from '../answers/shared-answer.ts';
import type { App } from '../app-type.ts';

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

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${settings.pageTitle}</title>
  </head>
  <body>
    <div id="app"></div>
    <script src="/docs/js/scalar.js"></script>
    <script src="/docs/js/start.js"></script>
  </body>
</html>
`;

const start = `Scalar.createApiReference('#app', ${JSON.stringify(settings)});\n`;

/** Scripts of our own alone; the reference writes its styles into the page. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const asked = 'no-cache'; // a copy may be kept, and is asked for whether it still holds
const kept = 'public, max-age=3600';
const script = { 'content-type': 'text/javascript; charset=utf-8' };

/**
 * Serves /docs and /openapi.json, which are the same for everybody. The reference's script is 4 MB: it is loaded by
 * the first reader, and never where nobody reads.
 */
export function apiReferenceRoutes(app: App, describe: () => object): void {
  const schema = { hide: true };
  app.get(
    '/docs',
    { schema },
    sharedAnswer(
      {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': asked,
        'content-security-policy': policy,
      },
      () => page,
    ),
  );
  app.get(
    '/docs/js/start.js',
    { schema },
    sharedAnswer({ ...script, 'cache-control': asked }, () => start),
  );
  app.get('/docs/js/scalar.js', { schema }, sharedAnswer({ ...script, 'cache-control': kept }, loadScript));
  app.get(
    '/openapi.json',
    { schema },
    sharedAnswer({ 'content-type': 'application/json; charset=utf-8', 'cache-control': asked }, () =>
      JSON.stringify(describe()),
    ),
  );
}

/** The script is in the package as text of a module that serves it, and in no other way. */
async function loadScript(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const server = Fastify();
  await server.register(scalar, { routePrefix: '/docs', configuration: { url: settings.url } });
  const { payload } = await server.inject('/docs/js/scalar.js');
  await server.close();
  return payload;
}
