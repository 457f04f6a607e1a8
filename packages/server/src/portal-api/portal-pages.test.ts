import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pagesApp } from '../../test/pages-app.ts';
import type { App } from '../platform/http/app-type.ts';
import { portalUrl } from '../platform/setting-parsers.ts';
import { alertPage, portalPages } from './portal-pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'attribution-portal-'));
let app: App;
let off: App;

beforeAll(() => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'alert.html'), '<body id="overlay">');
  writeFileSync(join(folder, 'creators.html'), '<body data-page="__PAGE__" nonce="__CSP_NONCE__">');
  for (const ending of ['', '.gz', '.br'])
    writeFileSync(join(folder, 'assets', `a-AbCd_123.js${ending}`), 'a');
  app = pagesAt('https://me.example.com');
  off = pagesAt(null);
});
afterAll(async () => {
  await app.close();
  await off.close();
  rmSync(folder, { recursive: true });
});

const pagesAt = (origin: string | null, dist = folder): App =>
  pagesApp((app) => {
    portalPages(app, { origin }, dist);
    alertPage(app, { origin }, dist);
  });

describe('the portal’s page', () => {
  test.each([
    ['/creators', 'inside'],
    ['/creators/', 'inside'],
    ['/creators/codes', 'inside'],
    ['/creators/payouts/12', 'inside'],
    ['/creators/enter', 'outside'],
    ['/creators/invitation', 'outside'],
  ])('is served at %s without a database, with the headers of the dashboard’s page', async (url, outline) => {
    const { statusCode, headers, body } = await app.inject({ url });
    const policy = String(headers['content-security-policy']);
    const [, nonce = ''] = /style-src 'self' 'nonce-([^']+)'/.exec(policy) ?? [];
    expect([statusCode, body]).toEqual([200, `<body data-page="${outline}" nonce="${nonce}">`]);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
  });

  test('has assets of its own, which browsers may keep', async () => {
    const { statusCode, headers } = await app.inject({ url: '/creators/assets/a-AbCd_123.js' });
    expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    for (const name of ['none-AbCd_123.js', '..%2fcreators.html', 'creators.html'])
      expect((await app.inject({ url: `/creators/assets/${name}` })).statusCode).toBe(404);
  });

  test.each(['/creators/alert', '/creators/alert/'])(
    'is another one at %s, with its own assets',
    async (url) => {
      const { statusCode, headers, body } = await app.inject({ url });
      expect([statusCode, body]).toEqual([200, '<body id="overlay">']);
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
      const asset = await app.inject({ url: '/creators/alert/assets/a-AbCd_123.js' });
      expect([asset.statusCode, asset.body]).toEqual([200, 'a']);
    },
  );

  test.each([
    '/creators',
    '/creators/enter',
    '/creators/assets/a-AbCd_123.js',
    '/creators/alert',
    '/creators/alert/assets/a-AbCd_123.js',
  ])('is not found at %s while the portal is off', async (url) => {
    const { statusCode, body } = await off.inject({ url });
    expect([statusCode, JSON.parse(body).code]).toEqual([404, 'NotFound']);
  });

  test('names the command to run when it has not been built', async () => {
    const bare = pagesAt('https://me.example.com', join(folder, 'nothing'));
    const { statusCode, body } = await bare.inject('/creators');
    expect([statusCode, body]).toEqual([503, expect.stringContaining('npm run build:web')]);
    await bare.close();
  });
});

describe('PORTAL_URL', () => {
  test.each([
    ['', null],
    ['https://pay.example.com/creators', 'https://pay.example.com/creators'],
    ['https://pay.example.com/creators/', 'https://pay.example.com/creators'],
    ['https://me.example.com', 'https://me.example.com/creators'],
    ['http://localhost:8080', 'http://localhost:8080/creators'],
  ])('%j means %j', (text, url) => {
    expect(portalUrl(text)).toBe(url);
  });

  test.each([
    'https://me.example.com/portal',
    'https://me.example.com/creators/enter',
    'https://me.example.com/creators?a=b',
    'https://me.example.com/creators#a',
    'https://user@me.example.com/creators',
    'http://me.example.com/creators',
    'me.example.com/creators',
  ])('rejects %s', (text) => {
    expect(() => portalUrl(text)).toThrow(/must/);
  });
});
