import type { Page } from 'playwright-core';

/**
 * Script that lists what can't be seen in the person's own colors (Windows' contrast themes): controls without an edge, text or
 * underline; drawings without contrast; and bars that show an amount.
 */
const unseen = `(() => {
  const found = [];
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const rgbOf = (color) => { context.clearRect(0, 0, 1, 1); context.fillStyle = color; context.fillRect(0, 0, 1, 1); return [...context.getImageData(0, 0, 1, 1).data]; };
  const luminance = (color) => { const [r, g, b] = rgbOf(color).map((part) => { const c = part / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const contrast = (one, other) => { const [a, b] = [luminance(one), luminance(other)].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05); };
  const isClear = (color) => rgbOf(color)[3] === 0;
  const groundOf = (each) => { for (let at = each; at !== null; at = at.parentElement) { const { backgroundColor } = getComputedStyle(at); if (!isClear(backgroundColor)) return backgroundColor; } return 'Canvas'; };
  const name = (each) => each.tagName.toLowerCase() + ' "' + (each.getAttribute('aria-label') ?? each.textContent).trim().slice(0, 40) + '"';
  const hasEdge = (each, pseudo) => {
    const style = getComputedStyle(each, pseudo);
    if (pseudo !== undefined && style.content === 'none') return false;
    return ['Top', 'Bottom'].some((side) => style['border' + side + 'Style'] !== 'none' && parseFloat(style['border' + side + 'Width']) >= 1 && contrast(style['border' + side + 'Color'], groundOf(each.parentElement)) >= 3);
  };
  for (const each of document.querySelectorAll('button, input, select, textarea, summary, a')) {
    if (!each.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const style = getComputedStyle(each);
    if (each.matches('input[type=checkbox], input[type=radio]')) {
      if (style.appearance === 'none' && !hasEdge(each, '::before')) found.push(name(each.closest('label') ?? each) + ' has no edge');
    } else if (each.matches('input, select, textarea')) {
      if (!hasEdge(each)) found.push(name(each) + ' ' + each.name + ' has no edge');
    } else if (each.textContent.trim() !== '' && contrast(style.color, groundOf(each)) < 4.5) found.push(name(each) + ' has the color ' + style.color);
    else if (each.matches('button') && !hasEdge(each) && each.textContent.trim() === '' && each.querySelector('svg, img') === null) found.push(name(each) + ' shows nothing');
  }
  for (const each of document.querySelectorAll('svg')) {
    if (!each.checkVisibility() || each.closest('[aria-busy=true]') !== null) continue;
    const parts = [each, ...each.querySelectorAll('*')].filter((part) => part instanceof SVGGeometryElement);
    const isSeen = parts.some((part) => { const { fill, stroke } = getComputedStyle(part); return [fill, stroke].some((paint) => paint !== 'none' && !paint.startsWith('url') && !isClear(paint) && contrast(paint, groundOf(each.parentElement)) >= 3); });
    if (parts.length > 0 && !isSeen) found.push('a drawing in ' + name(each.parentElement) + ' has no contrast');
  }
  for (const each of document.querySelectorAll('[role=progressbar], [role=meter], [class*=progress]')) {
    if (!each.checkVisibility()) continue;
    const bar = each.firstElementChild;
    if (bar === null || bar.getBoundingClientRect().width < 1) continue;
    if (!hasEdge(each)) found.push('a bar of an amount has no edge');
    if (contrast(getComputedStyle(bar).backgroundColor, groundOf(each)) < 3) found.push('the filled part of a bar has no contrast');
  }
  return found;
})()`;

/** Properties that show a state without color. */
const shapes =
  "['fontWeight', 'textDecorationLine', 'borderTopWidth', 'borderBottomWidth', 'borderTopStyle', 'outlineStyle', 'content', 'appearance', 'insetInlineStart']";

/** Script that lists selected things that only a color distinguishes from those beside them. */
const selectedByColor = `(() => {
  const kinds = [['[aria-current]', (each) => each.closest('nav') === null ? [] : [...each.closest('nav').querySelectorAll('a:not([aria-current])')]],
    ['[aria-selected=true]', (each) => [...each.parentElement.querySelectorAll('[aria-selected=false]')]],
    ['input:checked', (each) => [...document.querySelectorAll('input[type=' + each.type + ']:not(:checked)')]],
    ['[data-applied]', (each) => [...each.parentElement.querySelectorAll('li:not([data-applied])')]]];
  const shape = (each) => ['', '::before', '::after'].map((pseudo) => ${shapes}.map((property) => getComputedStyle(each, pseudo || undefined)[property]).join()).join('; ');
  return kinds.flatMap(([selector, othersOf]) => [...document.querySelectorAll(selector)].flatMap((each) => {
    const style = getComputedStyle(each);
    const isNative = each.matches('input') && style.appearance !== 'none';
    return !isNative && othersOf(each).some((other) => shape(other) === shape(each)) ? [selector + ' "' + each.textContent.slice(0, 30) + '" differs only in color'] : [];
  }));
})()`;

/** Script that focuses each control as a keyboard does, and lists those without a visible ring. */
const withoutRing = `(() => {
  const before = document.activeElement;
  const found = [];
  for (const each of document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')) {
    if (!each.checkVisibility({ visibilityProperty: true }) || each.disabled) continue;
    each.focus({ preventScroll: true, focusVisible: true });
    if (document.activeElement !== each) continue;
    const { outlineStyle, outlineWidth } = getComputedStyle(each);
    if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) found.push(each.tagName.toLowerCase() + ' "' + each.textContent.trim().slice(0, 40) + '" ' + (each.name ?? '') + ' has no focus ring');
  }
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return found;
})()`;

/** Returns what can't be seen or told apart in the person's own colors, dark and light. */
export async function faultsOfForcedColors(page: Page): Promise<string[]> {
  const found: string[] = [];
  await page.keyboard.press('Shift'); // from now on, the focus comes from a keyboard
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, forcedColors: 'active' });
    for (const script of [unseen, selectedByColor, withoutRing])
      found.push(...(await page.evaluate<string[]>(script)));
  }
  await page.emulateMedia({ forcedColors: 'none' });
  found.push(
    ...(await page.evaluate<string[]>(selectedByColor)),
    ...(await page.evaluate<string[]>(withoutRing)),
  );
  return found.map((each) => `forced colors: ${each}`);
}
