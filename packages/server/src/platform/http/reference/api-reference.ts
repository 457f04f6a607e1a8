import Fastify from 'fastify';
import { sharedAnswer } from '../answers/shared-answer.ts';
import type { App } from '../app-type.ts';

/**
 * Settings of the reference. The page doesn't send requests to other hosts: fonts, telemetry, proxy and agents are
 * turned off.
 */
const settings = {
  url: '/openapi.json',
  pageTitle: 'Creator attribution API',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never', // these buttons point to third-party services
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

/** Allows only our own scripts but also inline styles, which the reference adds to the page. */
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

const revalidated = 'no-cache'; // a cached copy is revalidated before each use
const cached = 'public, max-age=3600';
const script = { 'content-type': 'text/javascript; charset=utf-8' };

/**
 * Serves /docs and /openapi.json, which are the same for every client. The reference's script is 4 MB in size, so it
 * isn't loaded until it is first requested.
 */
export function apiReferenceRoutes(app: App, describe: () => object): void {
  const schema = { hide: true };
  app.get(
    '/docs',
    { schema },
    sharedAnswer(
      {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': revalidated,
        'content-security-policy': policy,
        'referrer-policy': 'no-referrer',
      },
      () => page,
    ),
  );
  app.get(
    '/docs/js/start.js',
    { schema },
    sharedAnswer({ ...script, 'cache-control': revalidated }, () => start),
  );
  app.get('/docs/js/scalar.js', { schema }, sharedAnswer({ ...script, 'cache-control': cached }, loadScript));
  app.get(
    '/openapi.json',
    { schema },
    sharedAnswer({ 'content-type': 'application/json; charset=utf-8', 'cache-control': revalidated }, () =>
      JSON.stringify(describe()),
    ),
  );
}

/** Loads the reference's script. The package contains the script only inside the module that serves it. */
async function loadScript(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const server = Fastify();
  await server.register(scalar, { routePrefix: '/docs', configuration: { url: settings.url } });
  const { payload } = await server.inject('/docs/js/scalar.js');
  await server.close();
  return payload;
}
