import { describe, expect, test } from 'vitest';
import { hasBrowser, useDashboard } from '../browser.ts';
import { goTo, isSettled, screenPaths, textsInNoCatalog } from '../screens.ts';
import { screenStates } from '../states.ts';
import { walk } from '../walk.ts';

const dashboard = useDashboard({ hasDemo: true });

describe.skipIf(!hasBrowser)('every screen', () => {
  test('passes axe’s WCAG 2.2 AA rules, in light and dark, and fit 360 pixels', async () => {
    expect(await walk(dashboard, screenStates)).toEqual([]);
  }, 600_000);

  test('has no untranslatable texts', async () => {
    const page = await dashboard.open('owner', '/p/aurora', { locale: 'en-XA' });
    await isSettled(page);
    const plain: string[] = [];
    for (const path of await screenPaths(page)) {
      await goTo(page, path);
      plain.push(...(await textsInNoCatalog(page)).map((text) => `${path}: ${text}`));
    }
    expect(plain).toEqual([]);
  });
});
