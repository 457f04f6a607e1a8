import type { Page } from 'playwright-core';

/**
 * Counts clicks, taps and presses of Enter. Typing and shortcuts don't count.
 * @returns a function that returns the count so far
 */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`(() => {
    window.presses = 0;
    if (window.countsPresses) return;
    window.countsPresses = true;
    addEventListener('pointerdown', (event) => { if (event.isTrusted) window.presses += 1; }, true);
    addEventListener('keydown', (event) => { if (event.isTrusted && event.key === 'Enter') window.presses += 1; }, true);
  })()`);
  return () => page.evaluate<number>('window.presses');
}
