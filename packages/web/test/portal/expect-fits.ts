import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findViolations } from '../browser.ts';
import { phone } from '../portal.ts';
import { tooWideBy } from '../screens.ts';

/**
 * Script that lists controls that a finger could miss: below 24 pixels anywhere, or below 42 in lists, forms and the bar,
 * whose rows are 44 pixels high with their borders.
 */
const smallTargets = `[...document.querySelectorAll('a, button, input, select')]
  .filter((each) => each.checkVisibility())
  .map((each) => ({ box: each.getBoundingClientRect(), least: each.closest('li, nav, form') === null ? 24 : 42, text: each.textContent || each.name }))
  .filter(({ box, least }) => box.height < least || box.width < 24)
  .map(({ box, text }) => text + ': ' + box.width + ' × ' + box.height)`;

/** @returns what keeps people from using a page, in both themes, or makes it wider than the phone */
export async function faultsOf(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await showWhole(page);
    found.push(...(await findViolations(page, { where: colorScheme, colorsOnly: colorScheme === 'dark' })));
  }
  await page.setViewportSize(phone);
  found.push(...((await page.evaluate(smallTargets)) as string[]));
  const beyond = await tooWideBy(page);
  if (beyond > 0) found.push(`${beyond} pixels wider than the window`);
  return found;
}

/**
 * Makes the window as high as the page, because the bar covers a control at the edge of a window. Parts that load late, such as
 * placeholders, make the page higher.
 */
async function showWhole(page: Page): Promise<void> {
  for (let height = 0, before = -1; height !== before; ) {
    await page.waitForTimeout(300);
    before = height;
    height = Number(await page.evaluate('document.documentElement.scrollHeight'));
    await page.setViewportSize({ ...phone, height: Math.max(phone.height, height) });
  }
}

export const expectFits = async (page: Page): Promise<void> => expect(await faultsOf(page)).toEqual([]);
