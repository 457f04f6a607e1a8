import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { bytesOf, layoutShift, recordShifts, shiftsOf, slowDown } from '../first-view.ts';
import { usePortalPages } from '../portal.ts';
import { isSettled } from '../screens.ts';
import { type Furnished, furnish } from './furnish.ts';

const portal = await usePortalPages();
let furnished: Furnished;

beforeAll(async () => {
  if (hasBrowser) furnished = await furnish(portal);
});

/** Budget of the page that opens first, with nothing cached: everything that is sent, and the largest paint. */
const budget = { bytes: 165_000, paintMs: 2_500, layoutShift: 0.05, requests: 20 };

/** Script that records the time of the largest paint so far. */
const watchPaint = `new PerformanceObserver((list) => { window.largestPaintMs = list.getEntries().at(-1).startTime; })
  .observe({ type: 'largest-contentful-paint', buffered: true });`;

interface View {
  bytes: number;
  paintMs: number;
  shift: number;
  requests: number;
}

async function measure(page: Page, url: string): Promise<View> {
  const requests: Request[] = [];
  const count = (request: Request): void => void requests.push(request);
  await page.goto('about:blank');
  page.on('requestfinished', count);
  await page.goto(url);
  await isSettled(page);
  await page.waitForTimeout(300);
  page.off('requestfinished', count);
  return {
    bytes: await bytesOf(requests),
    paintMs: await page.evaluate<number>('window.largestPaintMs'),
    shift: layoutShift(await shiftsOf(page)),
    requests: requests.length,
  };
}

describe.skipIf(!hasBrowser)('the first view of the portal', () => {
  test.each([
    ['Home', ''],
    ['the sign-in page', '/enter'],
  ])('loads little, is painted soon on slow 4G, and does not shift: %s', async (_, path) => {
    const page = await (path === '' ? portal.visitAs(furnished.nova, '/you') : portal.visit('/enter'));
    await isSettled(page);
    await recordShifts(page);
    await page.addInitScript(watchPaint);
    await slowDown(page, 'slow 4G');
    const views: View[] = [];
    let paintMs = Number.POSITIVE_INFINITY;
    // Other work on the machine delays a paint, so the fastest of several views counts.
    while (paintMs > budget.paintMs && views.length < 6) {
      const view = await measure(page, `${portal.service().url}/creators${path}`);
      views.push(view);
      paintMs = Math.min(paintMs, view.paintMs);
    }
    process.stdout.write(`${path === '' ? 'Home' : path}: ${JSON.stringify(views)}\n`);
    expect(paintMs).toBeLessThanOrEqual(budget.paintMs);
    for (const { bytes, requests, shift } of views) {
      expect(bytes).toBeLessThanOrEqual(budget.bytes);
      expect(shift).toBeLessThanOrEqual(budget.layoutShift);
      expect(requests).toBeLessThanOrEqual(budget.requests);
    }
  });
});
