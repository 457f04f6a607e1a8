import type { Page } from 'playwright-core';

/** Height and width in pixels of what a thumb must hit, as the dashboard's own rule. WCAG's minimum is 24. */
const minTarget = 40;

// The script is a string, because the tests lack the DOM types.
const measure = `(() => {
  const layers = [...document.querySelectorAll('[role=dialog][aria-modal=true], [role=menu]')].filter((each) => each.checkVisibility());
  const roots = layers.length > 0 ? [layers.at(-1)] : [...document.querySelectorAll('header, main')];
  const found = [];
  // Links within a sentence, and buttons inside fields and in the rows that they open, aren't targets of their own.
  const isWithin = (each) =>
    each.matches('.mantine-Input-section *, [data-row-opener]') ||
    (each.matches('a, button.mantine-Anchor-root') && getComputedStyle(each).display === 'inline' && each.parentElement.textContent.trim() !== each.textContent.trim());
  for (const root of roots)
    for (const each of root.querySelectorAll('a[href], button, input, select, textarea, [role=tab], [role=menuitem]')) {
      if (!each.checkVisibility({ visibilityProperty: true, opacityProperty: false }) || each.matches(':disabled, [aria-disabled=true], [tabindex="-1"]:not([role=menuitem], [role=tab])') || isWithin(each)) continue;
      each.scrollIntoView({ block: 'center', inline: 'nearest' });
      const box = each.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      const [x, y, by] = [box.x + box.width / 2, box.y + box.height / 2, ${minTarget} / 2 - 1.5];
      const hits = (dx, dy) => {
        const hit = document.elementFromPoint(x + dx, y + dy);
        return hit !== null && (each.contains(hit) || hit.contains(each) && hit.matches('label, tr.opens') || [...(each.labels ?? [])].some((label) => label.contains(hit)) || hit.closest('tr')?.contains(each) && each.closest('tr').className.includes('opens'));
      };
      const wide = Math.min(by, Math.max(box.width / 2 - 1, 8));
      if (![[0, -by], [0, by], [-wide, 0], [wide, 0]].every(([dx, dy]) => hits(dx, dy)))
        found.push((each.getAttribute('aria-label') ?? each.textContent.trim() ?? each.tagName).slice(0, 40) + ' (' + each.tagName.toLowerCase() + ', ' + Math.round(box.width) + ' × ' + Math.round(box.height) + ')');
    }
  return [...new Set(found)];
})()`;

/**
 * Returns what is too small for a thumb on the page, or in the open dialog or menu, with its size. The area that reacts
 * to a tap counts, which may be larger than what is drawn.
 */
export const smallTargets = (page: Page): Promise<string[]> => page.evaluate(measure);

/** Returns controls of the open dialog that the window doesn't show, and to which it would have to be scrolled. */
export const outOfView = (page: Page): Promise<string[]> =>
  page.evaluate(`[...[...document.querySelectorAll('[role=dialog][aria-modal=true]')].at(-1).querySelectorAll('button[type=submit]')]
    .filter((each) => { const { top, bottom } = each.getBoundingClientRect(); return top < 0 || bottom > innerHeight; })
    .map(({ textContent }) => textContent)`);
