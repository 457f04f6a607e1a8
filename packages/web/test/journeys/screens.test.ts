import { describe, expect, test } from 'vitest';
import { hasBrowser, useDashboard } from '../browser.ts';
import { goTo, isSettled, screenPaths, textsInNoCatalogue } from '../screens.ts';
import { programStates, screenStates } from '../states.ts';
import { walk } from '../walk.ts';

const dashboard = useDashboard({ hasDemo: true });

describe.skipIf(!hasBrowser)('every screen', () => {
  test('and what opens over those of the program breaks no rule of WCAG 2.2 AA that axe knows, in light and dark, and fits 360 pixels', async () => {
    expect(await walk(dashboard, [...screenStates, ...programStates])).toEqual([]);
  }, 600_000);

  test('says nothing that is in no catalog', async () => {
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
