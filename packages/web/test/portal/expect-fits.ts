import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findViolations } from '../browser.ts';
import { tooWideBy } from '../screens.ts';

/** Checks that everyone can use a page in both themes, and that it is no wider than the phone. */
export async function expectFits(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(100);
    expect(await findViolations(page, { where: colorScheme, colorsOnly: colorScheme === 'dark' })).toEqual(
      [],
    );
  }
  expect(await tooWideBy(page)).toBeLessThanOrEqual(0);
}
