import type { Page, Request } from 'playwright-core';

/** Layout shift and the parts of the page that moved. */
export interface Shift {
  value: number;
  atMs: number;
  parts: string[];
}

// The script is a string, because the tests lack the DOM types.
const watchShifts = `if (window.shifts === undefined) {
  window.shifts = [];
  const nameOf = (node) => {
    const element = node?.nodeType === 1 ? node : node?.parentElement;
    return element ? element.tagName.toLowerCase() + '.' + String(element.className).slice(0, 60) + ' "' + element.textContent.slice(0, 30) + '"' : 'gone';
  };
  new PerformanceObserver((list) => {
    for (const { value, startTime, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) shifts.push({ value, atMs: startTime, parts: sources.map(({ node, previousRect: a, currentRect: b }) => nameOf(node) + ' ' + [a, b].map((r) => [r.x, r.y, r.width, r.height].map(Math.round).join()).join(' to ')) });
  }).observe({ type: 'layout-shift', buffered: true });
}`;

/** Makes the page record its layout shifts, starting with the first paint. */
export async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(watchShifts);
}

export const shiftsOf = (page: Page): Promise<Shift[]> => page.evaluate('window.shifts');

const sessionMs = 5_000;
const gapMs = 1_000;

/** Returns the layout shift as browsers define it: the largest sum of shifts under a second apart, within five seconds. */
export function layoutShift(shifts: readonly Pick<Shift, 'value' | 'atMs'>[]): number {
  let largest = 0;
  let sum = 0;
  let [startMs, lastMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { value, atMs } of shifts) {
    if (atMs - lastMs >= gapMs || atMs - startMs >= sessionMs) [sum, startMs] = [0, atMs];
    sum += value;
    lastMs = atMs;
    largest = Math.max(largest, sum);
  }
  return largest;
}

/** Networks to simulate: what Lighthouse calls slow 4G, and one on which files arrive one after another, but soon. */
const networks = {
  'slow 4G': { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 },
  slow: { latency: 60, downloadThroughput: 300_000, uploadThroughput: 100_000 },
};

/** Simulates a slow network with an empty cache. */
export async function slowDown(page: Page, network: keyof typeof networks): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', { offline: false, ...networks[network] });
}

/** Returns the number of bytes that requests received. */
export async function bytesOf(requests: readonly Request[]): Promise<number> {
  const sizes = await Promise.all(requests.map((each) => each.sizes()));
  return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
}
