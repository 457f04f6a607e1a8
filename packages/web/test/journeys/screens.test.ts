import { describe, expect, test } from 'vitest';
import { hasBrowser, useDashboard, whatAxeFinds } from '../browser.ts';
import { goTo, isSettled, screenPaths, textsInNoCatalogue, tooWideBy } from '../screens.ts';
import { openStates, quietStates, show } from '../states.ts';

const dashboard = useDashboard({ hasDemo: true });
const wide = { width: 1_280, height: 800 };
const narrow = { width: 360, height: 740 };

describe.skipIf(!hasBrowser)('every screen', () => {
  test('and every drawer and dialog breaks no rule of WCAG 2.2 AA that axe knows, in light and dark, and fits 360 pixels', async () => {
    const page = await openStates(dashboard, { size: wide });
    const found: string[] = [];
    for (const state of quietStates) {
      try {
        await show(page, state);
        found.push(...(await whatAxeFinds(page, { where: state.name })));
        await page.emulateMedia({ colorScheme: 'dark' });
        found.push(...(await whatAxeFinds(page, { where: `${state.name}, dark`, isContrastAlone: true })));
        await page.emulateMedia({ colorScheme: 'light' });
        await page.setViewportSize(narrow);
        const beyond = await tooWideBy(page);
        if (beyond > 0) found.push(`${state.name}: ${beyond} pixels wider than the window`);
        await page.setViewportSize(wide);
      } catch (error) {
        found.push(`${state.name} could not be shown: ${String(error).split('\n')[0]}`);
        await page.setViewportSize(wide);
      }
    }
    expect(found).toEqual([]);
  }, 600_000);

  test('says nothing that is in no catalogue', async () => {
    const page = await dashboard.open('owner', '/p/aurora', { locale: 'en-XA' });
    await isSettled(page);
    const plain: string[] = [];
    for (const path of await screenPaths(page)) {
      await goTo(page, path);
      plain.push(...(await textsInNoCatalogue(page)).map((text) => `${path}: ${text}`));
    }
    expect(plain).toEqual([]);
  }, 60_000);
});
