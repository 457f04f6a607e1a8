import type { Page, Request } from 'playwright-core';
import { bytesOf, layoutShift, shiftsOf } from '../first-view.ts';
import { isSettled } from '../screens.ts';

/** Budget of the page that opens first, with nothing cached: everything that is sent, and the largest paint on slow 4G. */
export const viewBudget = { bytes: 165_000, paintMs: 2_500, layoutShift: 0.05, requests: 20 };

/** Script that records the time of the largest paint so far. Add it before the page is opened. */
export const watchPaint = `new PerformanceObserver((list) => { window.largestPaintMs = list.getEntries().at(-1).startTime; })
  .observe({ type: 'largest-contentful-paint', buffered: true });`;

/** Figures of a page until it is complete. */
export interface View {
  bytes: number;
  paintMs: number;
  shift: number;
  requests: number;
}

/** Opens a page that records its shifts and paints. */
export async function measureView(page: Page, url: string): Promise<View> {
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
