import type { Page, Request, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser, useDashboard } from '../browser.ts';
import { bytesOf, layoutShift, recordShifts, type Shift, shiftsOf, slowDown } from '../first-view.ts';
import { isSettled, screenPaths } from '../screens.ts';

const { open, service } = useDashboard({ hasDemo: true });

const wide = { width: 1_440, height: 900 };
const narrow = { width: 360, height: 740 };

/** Budget of a screen that opens in a new tab, with nothing cached. */
const budget = { layoutShift: 0.05, requests: 40, scriptBytes: 300_000 };

/** @returns screens that exceed the budget, with the elements that moved, or with the numbers */
async function overBudget(page: Page): Promise<string[]> {
  await recordShifts(page);
  const paths = await screenPaths(page);
  await isSettled(page); // or reads of this page would be counted with those of the next one
  await slowDown(page, 'slow');
  const found: string[] = [];
  for (const path of paths) {
    const requests: Request[] = [];
    const count = (request: Request): void => void requests.push(request);
    page.on('requestfinished', count);
    await page.goto(service().url + path);
    await isSettled(page);
    await page.waitForTimeout(300);
    const shifts = await shiftsOf(page);
    const sum = layoutShift(shifts);
    page.off('requestfinished', count);
    const again = await readAgain(page, requests);
    if (again.length > 0) found.push(`${path}: linked, but not read once: ${again.join(', ')}`);
    const scriptBytes = await bytesOf(requests.filter((each) => each.resourceType() === 'script'));
    if (requests.length > budget.requests || scriptBytes > budget.scriptBytes)
      found.push(`${path}: ${requests.length} requests, ${scriptBytes} bytes of script`);
    if (sum > budget.layoutShift)
      found.push(`${path}: ${sum.toFixed(3)} ${JSON.stringify(shifts.filter(isLarge), null, 1)}`);
  }
  return found;
}

/** Returns the reads that the page links, but then requests again, so that their early responses were for nothing. */
async function readAgain(page: Page, requests: readonly Request[]): Promise<string[]> {
  const linked: string[] = await page.evaluate(
    `[...document.querySelectorAll('link[rel=preload][as=fetch]')].map(({ href }) => href)`,
  );
  return linked.filter((href) => requests.filter((each) => each.url() === href).length !== 1);
}

const isLarge = ({ value }: Shift): boolean => value > 0.005;

describe.skipIf(!hasBrowser)('the first view', () => {
  test.each([
    ['1440', wide],
    ['360', narrow],
  ])(
    'loads few files, and does not shift while they arrive on a slow network, %s pixels wide',
    async (_, size) => {
      const page = await open('owner', '/p/aurora/audit', { size });
      expect(await overBudget(page)).toEqual([]);
    },
    180_000,
  );

  test.each([
    ['/p/aurora/overview', 'light', 'rgb(255, 255, 255)'],
    ['/p/aurora/overview', 'dark', 'rgb(22, 28, 33)'],
    ['/sign-in', 'light', 'rgb(255, 255, 255)'],
    ['/sign-in', 'dark', 'rgb(22, 28, 33)'],
  ] as const)(
    'outlines %s in %s before any script or stylesheet arrives',
    async (path, colorScheme, color) => {
      const isInside = path !== '/sign-in';
      const page = await open(isInside ? 'owner' : null, '/healthz', { colorScheme, size: wide });
      const held: Route[] = [];
      await page.route(/\/assets\/.*\.(js|css)$/, (route) => void held.push(route));
      await page.goto(service().url + path, { waitUntil: 'commit' });
      const painted = (): Promise<string[]> =>
        page.evaluate("performance.getEntriesByType('paint').map(({ name }) => name)");
      await expect.poll(painted).toContain('first-paint');
      expect(held.length).toBeGreaterThan(0);
      const frame = page.locator('.frame');
      expect(await page.evaluate("getComputedStyle(document.querySelector('.frame')).backgroundColor")).toBe(
        color,
      );
      const outlined = await page.locator(isInside ? '.frame-navigation' : '.frame-content').boundingBox();
      for (const route of held) await route.continue();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      const drawn = page.locator(isInside ? 'nav[aria-label]' : 'main > div');
      await drawn.first().waitFor();
      await frame.waitFor({ state: 'hidden' });
      const shown = await drawn.first().boundingBox();
      expect([outlined?.x, outlined?.y, outlined?.width], 'position of the real element').toEqual([
        shown?.x,
        shown?.y,
        shown?.width,
      ]);
    },
  );
});
