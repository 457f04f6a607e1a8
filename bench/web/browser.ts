import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { slowDown } from '../../packages/web/test/first-view.ts';
import { isSettled, watchRequests } from '../../packages/web/test/screens.ts';
import type { Staff } from './staff.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Figures that a page records about itself, in milliseconds. */
export interface PageMetrics {
  /** Largest contentful paint of the first view. */
  lcpMs: number;
  shifts: { value: number; atMs: number }[];
  /** Longest event of each interaction that took at least one frame. */
  interactions: Record<string, number>;
}

// The script is a string, because the benchmark is compiled without browser types.
const recordMetrics = `
  window.kept = { lcpMs: 0, shifts: [], interactions: {} };
  const watch = (type, on, more) => new PerformanceObserver((list) => list.getEntries().forEach(on)).observe({ type, buffered: true, ...more });
  watch('largest-contentful-paint', ({ startTime }) => { kept.lcpMs = startTime; });
  watch('layout-shift', ({ value, startTime, hadRecentInput }) => { if (!hadRecentInput) kept.shifts.push({ value, atMs: startTime }); });
  watch('event', ({ interactionId, duration }) => {
    if (interactionId) kept.interactions[interactionId] = Math.max(kept.interactions[interactionId] ?? 0, duration);
  }, { durationThreshold: 16 });
`;

/**
 * Opens Debian's Chromium.
 * @returns null if Chromium is not installed
 */
export async function openBrowser(): Promise<Browser | null> {
  if (!existsSync(executablePath)) return null;
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--font-render-hinting=none', '--disable-gpu'],
  });
}

export type Network = 'local' | 'slow 4G';

/**
 * Opens a path with an empty cache, and waits until the page has loaded its data. The caller closes the
 * page's context.
 */
export async function openCold(
  browser: Browser,
  url: string,
  staff: Staff | null,
  { path, network = 'local' }: { path: string; network?: Network },
): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1_440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  });
  context.setDefaultTimeout(30_000);
  await context.addInitScript(recordMetrics);
  if (staff !== null) await context.addCookies([{ ...staff.cookie, url }]);
  const page = await context.newPage();
  watchRequests(page);
  if (network === 'slow 4G') await slowDown(page, 'slow 4G');
  await page.goto(url + path);
  await (staff === null ? page.locator('input[type=password]').waitFor() : isSettled(page));
  // Chromium reports the last frame's paint a little later.
  await page.waitForTimeout(200);
  return page;
}

export const readMetrics = (page: Page): Promise<PageMetrics> => page.evaluate('window.kept');
