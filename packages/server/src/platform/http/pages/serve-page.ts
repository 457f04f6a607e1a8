import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Refusal } from '../../refusal.ts';
import type { SharedAnswer } from '../answers/shared-answer.ts';
import type { App } from '../app-type.ts';
import { openAsset } from './open-asset.ts';
import { preloadLinks } from './preload-links.ts';

/** Folder that `npm run build:web` writes the dashboard to, and the creators' portal to a folder in it. */
export const builtPages = fileURLToPath(new URL('../../../../../web/dist/', import.meta.url));

export const isBuilt = (folder: string): boolean => existsSync(join(folder, 'index.html'));

/** Single page that handles many paths in the browser. */
export interface ServedPage {
  /** Folder of the build, with the page and its assets. */
  folder: string;
  /** Name of the page's file in the folder. */
  file: string;
  /** Path under which the build's assets are served. */
  assetsPath: string;
  /** Paths for people who are not signed in. They select another placeholder, shown until the script has loaded. */
  outsidePaths: readonly string[];
  insidePaths: readonly string[];
  /** Returns the source of the module that the page loads for a path; null if it loads none. */
  moduleAt(path: string): string | null;
  /** Returns what the page always reads first at a URL of `insidePaths`, so that browsers request it together with the script. */
  firstReads(url: string): readonly string[];
  /** Sentence about a page that was not built. */
  notBuilt: string;
  /** Runs before each response. @throws Refusal if the page is turned off */
  check?(request: FastifyRequest): void;
}

/**
 * Returns the content security policy, which allows only this origin. The page's components use the nonce to add a
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

/** Returns the link for a read. The browser uses the response only if the page then requests exactly this path. */
const readLink = (path: string): string =>
  `<link rel="preload" as="fetch" crossorigin href="${path.replaceAll('&', '&amp;')}">`;

/** Serves a page, which is never cached, and its assets, which can be cached forever. Doesn't query the database. */
export function servePage(app: App, served: ServedPage): void {
  const { folder, assetsPath, outsidePaths, insidePaths, check = () => undefined } = served;
  const page = reloaded(join(folder, served.file), (text) => ({
    text,
    assets: new Map<string, SharedAnswer>(),
    linksFor: preloadLinks(folder, assetsPath),
  }));
  const schema = { hide: true };
  const send = (path: string, reply: FastifyReply, placeholder: 'outside' | 'inside'): FastifyReply => {
    const found = page();
    if (found === null)
      return reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .send(`${served.notBuilt} Run \`npm run build:web\` in the checkout. The API is available.\n`);
    const nonce = randomBytes(16).toString('base64');
    const module = served.moduleAt(path);
    const links =
      (module === null ? '' : found.linksFor(module)) +
      (placeholder === 'inside' ? served.firstReads(path).map(readLink).join('') : '');
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyOf(nonce),
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
      })
      .send(
        found.text
          .replaceAll('__CSP_NONCE__', nonce)
          .replace('__PAGE__', placeholder)
          .replace('</head>', `${links}</head>`),
      );
  };

  for (const path of [...outsidePaths, ...insidePaths])
    app.get(path, { schema }, (request, reply) => {
      check(request);
      return send(request.url, reply, outsidePaths.includes(path) ? 'outside' : 'inside');
    });

  app.get(
    `${assetsPath}/:name`,
    { schema: { ...schema, params: Type.Object({ name: Type.String() }) } },
    (request, reply) => {
      check(request);
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
 * Creates a function that rereads a file whenever it has changed, since the page may be rebuilt while
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
