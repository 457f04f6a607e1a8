import { type Dashboard, findViolations } from './browser.ts';
import { tooWideBy } from './screens.ts';
import type { State } from './states/state.ts';
import { openStates, show } from './states.ts';
import { hasNewTextStyles } from './text-styles.ts';

const wide = { width: 1_280, height: 800 };
const narrow = { width: 360, height: 740 };

/**
 * Script that waits until the page has changed to the other theme's colors. The transition starts with the
 * next frame.
 */
const colorsToSettle = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() =>
  Promise.allSettled(
    document.getAnimations().filter((each) => each instanceof CSSTransition).map(({ finished }) => finished),
  ),
).then(() => undefined)`;

/**
 * Shows the given states. Checks each in one theme, and in the other theme if it shows text whose colors have not been
 * checked in that theme.
 * @returns violations of axe's WCAG 2.2 AA rules, and overflow at 360 pixels
 */
export async function walk(
  dashboard: Pick<Dashboard, 'service' | 'openAs'>,
  states: readonly State[],
): Promise<string[]> {
  const page = await openStates(dashboard, { size: wide });
  const found: string[] = [];
  for (const [at, state] of states.entries()) {
    // Alternates the order of the themes, so that the theme changes only once per state.
    const [first, other] = at % 2 === 0 ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
    try {
      await page.emulateMedia({ colorScheme: first });
      await show(page, state);
      await hasNewTextStyles(page, first);
      found.push(...(await findViolations(page, { where: `${state.name}, ${first}` })));
      await page.emulateMedia({ colorScheme: other });
      await page.evaluate(colorsToSettle);
      if (await hasNewTextStyles(page, other))
        found.push(...(await findViolations(page, { where: `${state.name}, ${other}`, colorsOnly: true })));
      await page.setViewportSize(narrow);
      const beyond = await tooWideBy(page);
      if (beyond > 0) found.push(`${state.name}: ${beyond} pixels wider than the window`);
    } catch (error) {
      found.push(`${state.name} could not be shown: ${String(error).slice(0, 1500)}`);
    }
    await page.setViewportSize(wide);
  }
  return found;
}
