import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Type } from 'typebox';
import { Refusal } from '../../refusal.ts';
import type { SharedAnswer } from '../answers/shared-answer.ts';
import type { App } from '../app-type.ts';
import { openAsset } from './open-asset.ts';

/** Folder that `npm run build:web` writes the dashboard to. */
export const builtPages = fileURLToPath(new URL('../../../../../web/dist/', import.meta.url));

export const isBuilt = (folder: string): boolean => existsSync(join(folder, 'index.html'));

/**
 * Paths that the dashboard's single page handles without a session. The paths in `insidePaths` require a
 * session.
 */
const outsidePaths = ['/sign-in', '/invitation', '/reset-password', '/unsubscribe'];
const insidePaths = ['/', '/account', '/account/notifications', '/p/*'];

/**
 * Returns the content security policy, which allows only this origin. The dashboard's components use the nonce to add a
 * few styles to the page. Styles that scripts set on individual elements aren't subject to the policy.
 */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Serves the dashboard. All of its paths return the same page, which is never cached. Assets can be cached forever. */
export function dashboardPages(app: App, folder: string = builtPages): void {
  const page = reloaded(join(folder, 'index.html'), (text) => ({
    text,
    assets: new Map<string, SharedAnswer>(),
  }));
  const schema = { hide: true };

  for (const path of [...outsidePaths, ...insidePaths])
    app.get(path, { schema }, (_request, reply) => {
      const found = page();
      if (found === null)
        return reply
          .code(503)
          .type('text/plain; charset=utf-8')
          .send(
            'The dashboard has not been built. Run `npm run build:web` in the checkout. The API is available.\n',
          );
      const nonce = randomBytes(16).toString('base64');
      return reply
        .headers({
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policyOf(nonce),
          'cross-origin-opener-policy': 'same-origin',
        })
        .send(
          found.text
            .replaceAll('__CSP_NONCE__', nonce)
            // Selects the placeholder that is shown until the script has loaded.
            .replace('__PAGE__', outsidePaths.includes(path) ? 'outside' : 'inside'),
        );
    });

  app.get(
    '/assets/:name',
    { schema: { ...schema, params: Type.Object({ name: Type.String() }) } },
    (request, reply) => {
      const { name } = request.params as { name: string };
      const assets = page()?.assets;
      const answer = assets?.get(name) ?? openAsset(join(folder, 'assets'), name);
      if (assets === undefined || answer === null) throw new Refusal('NotFound', 'There is no such asset.');
      assets.set(name, answer);
      return answer(request, reply);
    },
  );
}

/**
 * Creates a function that rereads a file whenever it has changed, since the dashboard may be rebuilt while
 * the service is running.
 */
function reloaded<Value>(path: string, parse: (text: string) => Value): () => Value | null {
  let value: Value | null = null;
  let readMs = Number.NaN;
  return () => {
    const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (changedMs === undefined) return null;
    if (changedMs !== readMs) {
      value = parse(readFileSync(path, 'utf8'));
      readMs = changedMs;
    }
    return value;
  };
}
