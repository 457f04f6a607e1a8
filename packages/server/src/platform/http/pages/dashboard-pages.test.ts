import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pagesApp } from '../../../../test/pages-app.ts';
import type { App } from '../app-type.ts';
import { dashboardPages } from './dashboard-pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'attribution-pages-'));
const paths = ['/', '/sign-in', '/invitation', '/reset-password', '/p/aurora', '/p/aurora/payouts/x'];
let app: App;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writePage('one');
  for (const name of ['index-AbCd_123.js', 'icon.svg']) {
    writeFileSync(join(folder, 'assets', name), 'as it is');
    writeFileSync(join(folder, 'assets', `${name}.gz`), gzipSync('as it is'));
    writeFileSync(join(folder, 'assets', `${name}.br`), 'compressed when it was built');
  }
  writeFileSync(join(folder, 'secret.js'), 'not an asset');
  app = pagesOf(folder);
  await app.ready();
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const pagesOf = (dist: string): App => pagesApp((app) => dashboardPages(app, dist));

function writePage(text: string): void {
  writeFileSync(join(folder, 'index.html'), `<meta nonce="__CSP_NONCE__"><p>${text}</p>`);
}

/** Writes the manifest of a build in which Payouts has a file of its own, and shares another one. */
function writeManifest(folder: string): void {
  mkdirSync(join(folder, '.vite'), { recursive: true });
  writeFileSync(
    join(folder, '.vite', 'manifest.json'),
    JSON.stringify({
      'index.html': { file: 'assets/index-1.js', isEntry: true, imports: ['_libraries.js'] },
      '_libraries.js': { file: 'assets/libraries-2.js' },
      '_shared.js': {
        file: 'assets/shared-3.js',
        imports: ['_libraries.js', '_shared.js'],
        css: ['assets/shared-4.css'],
      },
      'src/dashboard/screens/payouts/screen.tsx': {
        file: 'assets/screen-5.js',
        imports: ['_libraries.js', '_shared.js'],
      },
    }),
  );
}

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

test('links what the page will load and read, so that a browser requests it early', async () => {
  const dist = mkdtempSync(join(tmpdir(), 'attribution-preloads-'));
  writeManifest(dist);
  writeFileSync(join(dist, 'index.html'), '<head></head>');
  const other = pagesOf(dist);
  const linksAt = async (url: string) =>
    [...(await other.inject({ url })).body.matchAll(/<link rel="(\w+)"[^>]* href="([^"]+)">/g)].map(
      ([, rel, href]) => `${rel} ${href}`,
    );
  const session = 'preload /admin/v1/me';
  const groups = 'preload /admin/v1/publishers/aurora/groups';
  expect(await linksAt('/p/aurora/payouts/made?group=main')).toEqual([
    'modulepreload /assets/screen-5.js',
    'modulepreload /assets/shared-3.js',
    'preload /assets/shared-4.css',
    session,
    groups,
  ]);
  expect((await linksAt('/p/aurora/ledger')).slice(-3)).toEqual([
    groups,
    'preload /admin/v1/publishers/aurora/ledger',
    'preload /admin/v1/publishers/aurora/ledger/verifications?limit=50',
  ]);
  for (const path of [
    '/p/aurora',
    '/p/aurora/no-such-screen',
    '/p/aurora/ledger?days=7',
    '/p/aurora/team/nia',
  ])
    expect(await linksAt(path), path).toEqual([session, groups]);
  for (const path of ['/', '/account', '/p/%22%3E%3Cscript%3E/ledger', '/p/aurora/%22%3E%3Cscript%3E'])
    expect(await linksAt(path), path).toEqual([session]);
  expect(await linksAt('/sign-in'), 'a person without a session').toEqual([]);
  await other.close();
  rmSync(dist, { recursive: true });
});

describe('the dashboard’s page', () => {
  test.each(paths)('is served at %s, never cached, with a new nonce in each response', async (path) => {
    const nonces = new Set<string>();
    for (let time = 0; time < 3; time += 1) {
      const { statusCode, headers, body } = await get(path);
      const policy = String(headers['content-security-policy']);
      const [, nonce = ''] = /style-src 'self' 'nonce-([^']+)'/.exec(policy) ?? [];
      expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ]);
      expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
      expect(body).toBe(`<meta nonce="${nonce}"><p>one</p>`);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
  });

  test('may run only scripts of its own origin, and can’t be framed', async () => {
    const policy = String((await get('/')).headers['content-security-policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(policy.join()).not.toContain('unsafe');
  });

  test('is sent without a body for HEAD', async () => {
    const { statusCode, body } = await app.inject({ method: 'HEAD', url: '/p/aurora' });
    expect([statusCode, body]).toEqual([200, '']);
  });

  test('is reloaded when it was rebuilt while the service runs', async () => {
    writePage('two');
    utimesSync(join(folder, 'index.html'), new Date(), new Date(Date.now() + 5_000));
    expect((await get('/')).body).toContain('two');
    writePage('one');
    utimesSync(join(folder, 'index.html'), new Date(), new Date(Date.now() + 10_000));
    expect((await get('/')).body).toContain('one');
  });

  test('shows the command to run when it has not been built', async () => {
    const bare = pagesOf(join(folder, 'nothing'));
    const { statusCode, body } = await bare.inject('/');
    expect([statusCode, body]).toEqual([503, expect.stringContaining('npm run build:web')]);
    expect((await bare.inject('/assets/index-AbCd_123.js')).statusCode).toBe(404);
    await bare.close();
  });
});

describe('an asset', () => {
  test.each([
    ['gzip, deflate, br', 'br', 'compressed when it was built'],
    ['gzip', 'gzip', gzipSync('as it is').toString('latin1')],
    ['identity', undefined, 'as it is'],
  ])('requested with %s is sent in the form that the build compressed', async (accepted, encoding, sent) => {
    const { headers, rawPayload } = await get('/assets/index-AbCd_123.js', { 'accept-encoding': accepted });
    expect([headers['content-encoding'], rawPayload.toString('latin1')]).toEqual([encoding, sent]);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'accept-encoding',
    });
  });

  test('without a hash in its name is revalidated, and not sent again when it is unchanged', async () => {
    const { headers } = await get('/assets/icon.svg');
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'image/svg+xml' });
    const again = await get('/assets/icon.svg', { 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test.each([
    '/assets/unknown-AbCd_123.js',
    '/assets/index-AbCd_123.js.gz',
    '/assets/..%2fsecret.js',
    '/assets/../secret.js',
    '/assets/.%2e%2fsecret.js',
    '/assets/%2e%2e%5csecret.js',
    '/assets/.hidden.js',
    '/assets/',
    '/secret.js',
    '/index.html',
  ])('is not found: %s', async (path) => {
    expect((await get(path)).statusCode).toBe(404);
  });
});
