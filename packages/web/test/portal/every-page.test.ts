import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { findViolations, hasBrowser } from '../browser.ts';
import { phone, usePortalPages } from '../portal.ts';
import { tooWideBy } from '../screens.ts';
import { type Furnished, furnish, openState, portalStates } from './states.ts';

const portal = await usePortalPages({ mayFail: true });
let furnished: Furnished;

beforeAll(async () => {
  if (hasBrowser) furnished = await furnish(portal);
});

// `SHOTS=portal npm run shots` also saves screenshots of these states, at two widths and in two themes.
const folder = fileURLToPath(new URL('../../shots/', import.meta.url));
const takesShots = process.env.SHOTS === 'true' || process.env.SHOTS?.includes('portal') === true;

/** Script that lists controls that a finger could miss: below 24 pixels anywhere, or below 44 in lists and the bar. */
const smallTargets = `[...document.querySelectorAll('a, button, input, select')]
  .filter((each) => each.checkVisibility())
  .map((each) => ({ box: each.getBoundingClientRect(), least: each.closest('li, nav, form') === null ? 24 : 42, text: each.textContent || each.name }))
  .filter(({ box, least }) => box.height < least || box.width < 24)
  .map(({ box, text }) => text + ': ' + box.width + ' × ' + box.height)`;

async function saveShots(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const width of [360, 1_280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 740 });
      const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
      await page.setViewportSize({ width, height: Math.min(2_400, Math.max(740, height)) });
      await page.waitForTimeout(150);
      await page.screenshot({ path: `${folder}portal-${name}-${width}-${colorScheme}.png` });
    }
  await page.setViewportSize(phone);
}

describe.skipIf(!hasBrowser)('every page of the portal', () => {
  test.each(portalStates.map((state) => [state.name, state] as const))(
    'can be used by everyone, in both themes, 360 pixels wide: %s',
    async (name, state) => {
      const page = await openState(portal, furnished, state);
      const found: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.waitForTimeout(100);
        found.push(
          ...(await findViolations(page, { where: colorScheme, colorsOnly: colorScheme === 'dark' })),
        );
      }
      found.push(...((await page.evaluate(smallTargets)) as string[]));
      const beyond = await tooWideBy(page);
      if (beyond > 0) found.push(`${beyond} pixels wider than the window`);
      if (takesShots) await saveShots(page, name);
      await page.context().setOffline(false);
      expect(found).toEqual([]);
    },
  );
});
