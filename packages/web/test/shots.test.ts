import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { hasBrowser, useDashboard } from './browser.ts';
import { firstHourStates, openFirstHour } from './states/first-hour.ts';
import type { State } from './states/state.ts';
import {
  connectorStates,
  openStates,
  operationStates,
  outsideStates,
  programStates,
  screenStates,
  show,
  troubledStates,
} from './states.ts';

// `npm run shots` saves screenshots of every state in packages/web/shots, at three widths and in two themes.
// `SHOTS=creators,shell npm run shots` takes only the screenshots whose names start with one of these words, or that have
// a name that is followed by a $, as in `SHOTS='creators$'`.
// `SHOT_WIDTHS=360` takes only those of a phone.
const selection = process.env.SHOTS;
const wanted = (states: readonly State[]): State[] =>
  states.filter(
    ({ name }) =>
      selection === 'true' ||
      selection
        ?.split(',')
        .some((start) => (start.endsWith('$') ? name === start.slice(0, -1) : name.startsWith(start))),
  );
const dashboard = useDashboard({ hasDemo: selection !== undefined, mayFail: true });
const folder = fileURLToPath(new URL('../shots/', import.meta.url));
const widths = process.env.SHOT_WIDTHS?.split(',').map(Number) ?? [360, 768, 1_440];
const minHeight = 800;

test.skipIf(selection === undefined || !hasBrowser)(
  'takes screenshots of every state',
  async () => {
    mkdirSync(folder, { recursive: true });
    const page = await openStates(dashboard, { size: { width: 1_440, height: minHeight } });
    const missed = await shoot(
      page,
      wanted([...screenStates, ...programStates, ...operationStates, ...connectorStates, ...troubledStates]),
    );
    const outside = await dashboard.openAs(null, '/sign-in', { size: { width: 1_440, height: minHeight } });
    missed.push(...(await shoot(outside, wanted(outsideStates))));
    const chosen = wanted(firstHourStates);
    if (chosen.length > 0) {
      const first = await openFirstHour(dashboard, { size: { width: 1_440, height: minHeight } });
      // Each state leaves the data for the next one, so they are all shown.
      missed.push(...(await shoot(first, firstHourStates)));
    }
    if (missed.length > 0) throw new Error(`no screenshot of:\n${missed.join('\n')}`);
  },
  1_800_000,
);

/** @returns states that couldn't be shown, with reasons */
async function shoot(page: Page, states: readonly State[]): Promise<string[]> {
  const missed: string[] = [];
  for (const state of states) {
    await page.setViewportSize({ width: 1_440, height: minHeight });
    await show(page, state).catch((error: Error) =>
      missed.push(`${state.name}: ${error.message.split('\n')[0]}`),
    );
    for (const width of widths) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: minHeight });
        // Phones and tablets lay their scrollbar over the page, so no gutter is left free for it.
        await page.evaluate(
          `document.documentElement.style.scrollbarWidth = ${width < 1_440 ? "'none'" : "''"}`,
        );
        await page.waitForTimeout(100); // the layout for this width
        await page.setViewportSize({ width, height: await heightOf(page) });
        await page.waitForTimeout(250); // the navigation's animation
        await page.screenshot({ path: `${folder}${state.name}-${width}-${colorScheme}.png` });
      }
    }
  }
  return missed;
}

/** Returns the height that shows the whole page, or a whole open dialog, which scrolls separately. */
async function heightOf(page: Page): Promise<number> {
  const height = await page.evaluate(`(() => {
    const dialogs = [...document.querySelectorAll('[role=dialog][aria-modal=true]')]
      .filter((each) => each.checkVisibility())
      .map((each) => each.scrollHeight + 100);
    return dialogs.length > 0 ? Math.max(...dialogs) : document.documentElement.scrollHeight;
  })()`);
  return Math.min(3_000, Math.max(minHeight, Number(height)));
}
