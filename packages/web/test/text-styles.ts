import type { Page } from 'playwright-core';

/** Selector for an open dialog. The rest of the page can't be reached then. */
export const dialog = '[role=dialog][aria-modal=true]';

/** Selector for a table's rows after the twelfth. Most rows are alike, and checking all of them would take most of the time. */
export const furtherRows = 'tbody tr:nth-child(n+13)';

// The script is a string, because the tests lack the DOM types.
const script = `(theme) => {
  const known = ((window.checkedTextStyles ??= {})[theme] ??= new Set());
  const before = known.size;
  const behind = new Map();
  /** Returns the backgrounds behind an element, up to the first opaque color. */
  const backgroundsOf = (element) => {
    if (element === null) return '';
    if (behind.has(element)) return behind.get(element);
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
    const isOpaque = /^rgb\\(/.test(backgroundColor) && backgroundImage === 'none' && opacity === '1';
    const found = [backgroundColor, backgroundImage, opacity].join() + (isOpaque ? '' : '|' + backgroundsOf(element.parentElement));
    behind.set(element, found);
    return found;
  };
  const hasText = (element) =>
    element.matches('input, select, textarea') || [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '');
  const dialogs = [...document.querySelectorAll('${dialog}')];
  for (const root of dialogs.length > 0 ? dialogs : [document.body])
    for (const element of root.querySelectorAll('*')) {
      if (!hasText(element) || element.closest('${furtherRows}') !== null || !element.checkVisibility()) continue;
      const { color, fontSize, fontWeight, textDecorationLine, textShadow } = getComputedStyle(element);
      known.add([element.tagName === 'A', color, fontSize, fontWeight, textDecorationLine, textShadow, backgroundsOf(element)].join());
    }
  return known.size > before;
}`;

/**
 * Notes the colors, fonts and backgrounds of the text that can be reached on the page.
 * @returns true if some of them are new in this theme since the page was loaded
 */
export const hasNewTextStyles = (page: Page, theme: 'light' | 'dark'): Promise<boolean> =>
  page.evaluate(`(${script})('${theme}')`);
