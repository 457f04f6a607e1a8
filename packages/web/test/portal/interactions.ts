import type { Locator, Page } from 'playwright-core';
import { isSettled } from '../screens.ts';

/** Shortest interaction that browsers report. Unreported interactions are counted as lasting this long. */
const shortestMs = 16;

/** Script that records the longest event of each interaction, until the paint after it. Add it before the page is opened. */
export const watchInteractions = `window.interactions = {};
new PerformanceObserver((list) => list.getEntries().forEach(({ interactionId, duration }) => {
  if (interactionId) interactions[interactionId] = Math.max(interactions[interactionId] ?? 0, duration);
})).observe({ type: 'event', buffered: true, durationThreshold: 16 });`;

/** Times of all interactions, in milliseconds. */
export interface Interactions {
  all: number[];
  p75Ms: number;
  longestMs: number;
}

/** Makes the page's processor slower. */
export async function slowProcessor(page: Page, times: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: times });
}

/**
 * Does on Home, Earnings, Payouts and Codes what creators do there most, and reads from the browser how long each input took until
 * the next paint. The page must show one of the portal's pages, and record its interactions.
 */
export async function playPortal(page: Page): Promise<Interactions> {
  let count = 0;
  const done = async (): Promise<void> => {
    count += 1;
    await page.waitForTimeout(100);
    await isSettled(page);
  };
  const tap = async (what: Locator): Promise<void> => {
    await what.first().click();
    await done();
  };
  const press = async (key: string): Promise<void> => {
    await page.keyboard.press(key);
    await done();
  };
  const goTo = (name: string): Promise<void> => tap(page.locator('nav a', { hasText: name }));
  /** Opens the first row, if there is one, and returns. */
  const openRow = async (): Promise<void> => {
    const row = page.locator('main li a');
    if ((await row.count()) === 0) return;
    await tap(row);
    await tap(page.locator('main a', { hasText: '‹' }));
  };
  for (const name of ['Earnings', 'Payouts', 'Codes', 'Home']) await goTo(name);
  await goTo('Earnings');
  await openRow();
  await page.getByLabel('Month').focus();
  for (const key of ['ArrowDown', 'ArrowUp', 'Tab', 'ArrowDown', 'ArrowUp']) await press(key);
  await goTo('Payouts');
  await openRow();
  await goTo('Codes');
  await tap(page.locator('main button', { hasText: 'Copy' }));
  const qr = page.getByRole('button', { name: /QR code of/ });
  for (let n = 0; n < 2; n += 1) await tap(qr);
  await goTo('Home');
  for (let n = 0; n < 4; n += 1) await press('Tab');
  const took = Object.values(await page.evaluate<Record<string, number>>('window.interactions'));
  const all = [...took, ...Array.from({ length: Math.max(0, count - took.length) }, () => shortestMs)].sort(
    (one, other) => one - other,
  );
  return { all, p75Ms: all[Math.ceil(all.length * 0.75) - 1] ?? 0, longestMs: all.at(-1) ?? 0 };
}
