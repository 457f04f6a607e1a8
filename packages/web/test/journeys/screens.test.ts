import { describe, expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { goTo, isSettled, screenPaths, textsInNoCatalogue } from '../screens.ts';

const { open } = useDashboard({ hasDemo: true });

describe.skipIf(!hasBrowser)('every screen', () => {
  test.each(['light', 'dark'] as const)(
    'breaks no rule of WCAG 2.2 AA that axe knows, in the %s theme',
    async (colorScheme) => {
      const page = await open('owner', '/p/aurora', { colorScheme });
      await isSettled(page);
      for (const path of await screenPaths(page)) {
        await goTo(page, path);
        await expectAccessible(page, path);
      }
    },
    120_000,
  );

  test('fits a window of 360 pixels: nothing but tables scrolls sideways', async () => {
    const page = await open('owner', '/p/aurora', { size: { width: 360, height: 740 } });
    await isSettled(page);
    const tooWide: string[] = [];
    for (const path of await screenPaths(page)) {
      await goTo(page, path);
      const beyond = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      if (Number(beyond) > 0) tooWide.push(`${path}: ${beyond} pixels`);
    }
    expect(tooWide).toEqual([]);
  }, 60_000);

  test('says nothing that is in no catalogue', async () => {
    const page = await open('owner', '/p/aurora', { locale: 'en-XA' });
    await isSettled(page);
    const plain: string[] = [];
    for (const path of await screenPaths(page)) {
      await goTo(page, path);
      plain.push(...(await textsInNoCatalogue(page)).map((text) => `${path}: ${text}`));
    }
    expect(plain).toEqual([]);
  }, 60_000);
});
