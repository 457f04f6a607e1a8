import { type Dashboard, whatAxeFinds } from './browser.ts';
import { tooWideBy } from './screens.ts';
import type { State } from './states/state.ts';
import { openStates, show } from './states.ts';

const wide = { width: 1_280, height: 800 };
const narrow = { width: 360, height: 740 };

/** Some colors fade into those of the other theme, from the next picture on, and are neither while they do. */
const colorsToSettle = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() =>
  Promise.allSettled(
    document.getAnimations().filter((each) => each instanceof CSSTransition).map(({ finished }) => finished),
  ),
).then(() => undefined)`;

/** @returns what is wrong with states: rules of WCAG 2.2 AA that axe knows, in light and dark, and what does not fit 360 pixels */
export async function walk(
  dashboard: Pick<Dashboard, 'service' | 'openAs'>,
  states: readonly State[],
): Promise<string[]> {
  const page = await openStates(dashboard, { size: wide });
  const found: string[] = [];
  for (const [at, state] of states.entries()) {
    // In turns, so that a page changes its theme once a state.
    const [first, other] = at % 2 === 0 ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
    try {
      await page.emulateMedia({ colorScheme: first });
      await show(page, state);
      found.push(...(await whatAxeFinds(page, { where: `${state.name}, ${first}` })));
      await page.emulateMedia({ colorScheme: other });
      await page.evaluate(colorsToSettle);
      found.push(...(await whatAxeFinds(page, { where: `${state.name}, ${other}`, isColorsAlone: true })));
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
