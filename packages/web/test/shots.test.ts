import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { hasBrowser, useDashboard } from './browser.ts';
import { goTo, isSettled, screenPaths } from './screens.ts';

// `npm run shots` keeps a picture of every screen, at three widths in two themes, in packages/web/shots.
const isAsked = process.env.SHOTS !== undefined;
const { open } = useDashboard({ hasDemo: isAsked });
const folder = fileURLToPath(new URL('../shots/', import.meta.url));
const widths = [360, 768, 1_440];

test.skipIf(!isAsked || !hasBrowser).each(['light', 'dark'] as const)(
  'pictures in the %s theme',
  async (colorScheme) => {
    mkdirSync(folder, { recursive: true });
    const page = await open('owner', '/p/aurora', { colorScheme });
    await isSettled(page);
    for (const path of await screenPaths(page)) {
      await goTo(page, path);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await isSettled(page);
        const name = `${path.split('/').slice(3).join('-')}-${width}-${colorScheme}.png`;
        await page.screenshot({ path: `${folder}${name}`, fullPage: true });
      }
      await page.setViewportSize({ width: 1_280, height: 900 });
    }
  },
  600_000,
);
