import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Checkout, copyCheckout, root } from './checkout.ts';

const copies: Checkout[] = [];
const copy = (parts?: string): Checkout => {
  const made = copyCheckout(parts);
  copies.push(made);
  return made;
};
afterEach(() => {
  for (const each of copies.splice(0)) each.remove();
});

const notBuilt = /The dashboard wasn't built, .*run `npm ci`, .* `npm prune --omit=dev`/;

describe('without the tools', () => {
  test('the end of an installation prints what to do, and does not fail; a requested build fails', () => {
    const checkout = copy('package.json scripts packages/web/package.json');
    const node = process.execPath; // the machine's own Node may be older
    const prepared = checkout.run(`npm_lifecycle_event=prepare "${node}" scripts/prepare.js`);
    expect(prepared).toEqual({ status: 0, output: expect.stringMatching(notBuilt) });
    const built = checkout.run(`"${node}" scripts/build-web.ts`);
    expect(built).toEqual({ status: 1, output: expect.stringMatching(notBuilt) });
  });
});

describe('on an older Node, without the pinned one', () => {
  const older =
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })';
  test.each([
    ['scripts/prepare.js', 0, 'stdout'],
    ['packages/server/bin/attribution.js', 1, 'stderr'],
  ] as const)('%s prints what to do', (script, status, where) => {
    const ran = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(older)}`, join(root, script)],
      { encoding: 'utf8' },
    );
    expect(ran.status).toBe(status);
    expect(ran[where]).toMatch(/run `npm ci` without --omit=optional, or install Node 24/i);
  });
});

// Installs everything several times. Run with `npm run try:install`.
describe.runIf(process.env.TRY_INSTALL)('an installed checkout', () => {
  const page = async (url: string): Promise<string> => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    return `${answer.status} ${await answer.text()}`;
  };
  const lives = async (url: string): Promise<void> =>
    expect((await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) })).status).toBe(200);

  test('without scripts, serves and says how to build the dashboard, and the command works', async () => {
    const checkout = copy();
    expect(checkout.run('npm ci --ignore-scripts')).toMatchObject({ status: 0 });
    await checkout.started(async (url, output) => {
      await lives(url);
      expect(output).toContain('Dashboard: not built yet. Run `npm run build:web`');
      expect(await page(url)).toMatch(/^503 .*run `npm run build:web`/);
      expect(checkout.run('npm run build:web')).toMatchObject({ status: 0 });
      expect(await page(url)).toMatch(/^200 <!doctype html>/i);
    });
  }, 600_000);

  test('without development dependencies, serves and says how to get the dashboard, and the command works', async () => {
    const checkout = copy();
    expect(checkout.run('npm ci --omit=dev')).toEqual({ status: 0, output: expect.stringMatching(notBuilt) });
    await checkout.started(async (url) => {
      await lives(url);
      expect(await page(url)).toMatch(/^503 /);
    });
    expect(checkout.run('npm run build:web')).toMatchObject({ status: 1 });
    expect(checkout.run('npm ci && npm prune --omit=dev')).toMatchObject({ status: 0 });
    expect(checkout.run('test ! -e node_modules/@hey-api/openapi-ts')).toMatchObject({ status: 0 });
    await checkout.started(async (url) => {
      expect(await page(url)).toMatch(/^200 <!doctype html>/i);
    });
  }, 900_000);

  test('without optional packages, names what is missing', () => {
    const checkout = copy();
    expect(checkout.run('npm ci --omit=optional')).toMatchObject({ status: 0 });
    expect(checkout.run('npm start')).toEqual({
      status: 1,
      output: expect.stringMatching(/run `npm ci` without --omit=optional/i),
    });
  }, 600_000);
});
