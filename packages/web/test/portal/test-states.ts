import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { phone, usePortalPages } from '../portal.ts';
import { faultsOf } from './expect-fits.ts';
import { faultsOfForcedColors } from './forced-colors.ts';
import { type Furnished, furnish } from './furnish.ts';
import { providerSettings } from './furnish-sign-in.ts';
import type { PortalState } from './portal-state.ts';
import { faultsOfLargeText, faultsOfMirroring, faultsOfMotion } from './reading-modes.ts';
import { openState } from './states.ts';

// `SHOTS=portal npm run shots` also saves screenshots of these states, at two widths and in two themes.
const folder = fileURLToPath(new URL('../../shots/', import.meta.url));
const takesShots = process.env.SHOTS === 'true' || process.env.SHOTS?.includes('portal') === true;

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

/** Declares a test for each state of the portal's pages. */
export async function testStates(title: string, states: readonly PortalState[]): Promise<void> {
  const portal = await usePortalPages({ mayFail: true, environment: providerSettings });
  let furnished: Furnished;
  beforeAll(async () => {
    if (hasBrowser) furnished = await furnish(portal);
  });
  describe.skipIf(!hasBrowser)(title, () => {
    test.each(states.map((state) => [state.name, state] as const))(
      'can be used by everyone, in both themes, 360 pixels wide: %s',
      async (name, state) => {
        const page = await openState(portal, furnished, state);
        const found = await faultsOf(page);
        found.push(...(await faultsOfLargeText(page)), ...(await faultsOfMirroring(page)));
        found.push(...(await faultsOfForcedColors(page)), ...(await faultsOfMotion(page)));
        if (takesShots) await saveShots(page, name);
        await page.context().setOffline(false);
        expect(found).toEqual([]);
      },
    );
  });
}
