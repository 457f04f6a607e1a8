import { beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { recordShifts, slowDown } from '../first-view.ts';
import { usePortalPages } from '../portal.ts';
import { isSettled } from '../screens.ts';
import { type Furnished, furnish } from './furnish.ts';
import { measureView, type View, viewBudget, watchPaint } from './measure-view.ts';

const portal = await usePortalPages();
let furnished: Furnished;

beforeAll(async () => {
  if (hasBrowser) furnished = await furnish(portal);
});

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
    while (paintMs > viewBudget.paintMs && views.length < 6) {
      const view = await measureView(page, `${portal.service().url}/creators${path}`);
      views.push(view);
      paintMs = Math.min(paintMs, view.paintMs);
    }
    process.stdout.write(`${path === '' ? 'Home' : path}: ${JSON.stringify(views)}\n`);
    expect(paintMs).toBeLessThanOrEqual(viewBudget.paintMs);
    for (const { bytes, requests, shift } of views) {
      expect(bytes).toBeLessThanOrEqual(viewBudget.bytes);
      expect(shift).toBeLessThanOrEqual(viewBudget.layoutShift);
      expect(requests).toBeLessThanOrEqual(viewBudget.requests);
    }
  });
});
