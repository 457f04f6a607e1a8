import type { Page } from 'playwright-core';
import { phone } from '../portal.ts';
import { tooWideBy } from '../screens.ts';

/** Distance in pixels that rounding may cause. */
const tolerance = 2;

/**
 * Script with functions for elements that have text of their own: `texts` lists them with the boxes of their lines. Texts for
 * screen readers alone are left out, and native selects, which cut what they show but not their options.
 */
const readTexts = `
  const shows = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && getComputedStyle(each).clipPath === 'none' && getComputedStyle(each).clip === 'auto';
  const own = (each) => [...each.childNodes].filter((node) => node.nodeType === 3 && node.data.trim() !== '');
  const linesOf = (each) => own(each).flatMap((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
  });
  const texts = [...document.querySelectorAll('header *, main *, nav *')]
    .filter((each) => own(each).length > 0 && each.closest('select, svg, [aria-hidden=true], [aria-busy=true] [class*=VisuallyHidden]') === null && shows(each))
    .map((each) => ({ each, lines: linesOf(each), name: each.tagName.toLowerCase() + ' "' + each.textContent.trim().slice(0, 40) + '"' }));
  const isInBar = (each) => each.closest('nav') !== null;
  const scrolls = (each) => each !== null && each !== document.documentElement && (['auto', 'scroll'].includes(getComputedStyle(each).overflowY) || scrolls(each.parentElement));`;

/** Script that lists text that is cut, beyond the window, or covered by other text. */
const lostText = `(() => {
  ${readTexts}
  const found = [];
  const isCut = (each) => {
    const { overflowX, overflowY } = getComputedStyle(each);
    return (overflowX !== 'visible' && overflowX !== 'auto' && each.scrollWidth > each.clientWidth + ${tolerance})
      || (overflowY !== 'visible' && overflowY !== 'auto' && each.scrollHeight > each.clientHeight + ${tolerance});
  };
  for (const { each, lines, name } of texts) {
    for (let at = each; at !== null && at !== document.body; at = at.parentElement)
      if (at.clientWidth > 0 && isCut(at)) { found.push(name + ' is cut'); break; }
    for (const { left, right } of lines)
      if (left < -${tolerance} || right > document.documentElement.clientWidth + ${tolerance}) { found.push(name + ' is beyond the window'); break; }
    // A word that is broken within its letters has lines of a letter or two.
    const letters = own(each).map(({ data }) => data.trim()).join('').length;
    if (letters > 5 && lines.length >= letters / 2) found.push(name + ' has ' + lines.length + ' lines for ' + letters + ' letters');
  }
  for (const [at, one] of texts.entries())
    for (const other of texts.slice(at + 1)) {
      if (isInBar(one.each) !== isInBar(other.each) || scrolls(one.each) !== scrolls(other.each)) continue; // they scroll past each other
      const covers = one.lines.some((a) => other.lines.some((b) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > ${tolerance} && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.35 * Math.min(a.height, b.height)));
      if (covers) found.push(one.name + ' and ' + other.name + ' cover each other');
    }
  return found;
})()`;

/** Script that scrolls to the end, and returns by how many pixels the bar covers the last text. */
const coveredByBar = `(() => {
  ${readTexts}
  const bar = document.querySelector('nav');
  if (bar === null || getComputedStyle(bar).position === 'absolute') return 0;
  const before = scrollY;
  scrollTo(0, document.documentElement.scrollHeight);
  const end = Math.max(0, ...texts.filter(({ each }) => !isInBar(each) && !scrolls(each)).flatMap(({ each }) => linesOf(each).map(({ bottom }) => bottom)));
  const by = end - bar.getBoundingClientRect().top;
  scrollTo(0, before);
  return Math.max(0, Math.round(by));
})()`;

/** Script that returns the horizontal places of blocks, by their position in the document. */
const placesOfBlocks = `[...document.querySelectorAll('header *, main *, nav *')]
  .filter((each) => each.closest('svg') === null && each.parentElement.closest('[dir=ltr], select') === null && each.checkVisibility() && !getComputedStyle(each).display.startsWith('inline') && getComputedStyle(each).position !== 'absolute')
  .map((each) => { const { left, right } = each.getBoundingClientRect(); return { left, right, name: each.tagName.toLowerCase() + '.' + String(each.className).slice(0, 40) + ' "' + each.textContent.trim().slice(0, 30) + '"' }; })`;

interface PlaceOfBlock {
  left: number;
  right: number;
  name: string;
}

/** Returns what is lost if the person's text is twice as large, on a phone and in a window twice as wide. */
export async function faultsOfLargeText(page: Page): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  for (const width of [phone.width, 2 * phone.width]) {
    await page.setViewportSize({ width, height: phone.height });
    found.push(...(await lossesOf(page, `200 % text, ${width} pixels`)));
  }
  await page.setViewportSize(phone);
  await page.evaluate("document.documentElement.style.fontSize = ''");
  return found;
}

async function lossesOf(page: Page, where: string): Promise<string[]> {
  const beyond = await tooWideBy(page);
  const covered = await page.evaluate<number>(coveredByBar);
  return [
    ...(beyond > 0 ? [`${beyond} pixels wider than the window`] : []),
    ...(covered > 0 ? [`the bar covers ${covered} pixels of the end`] : []),
    ...(await page.evaluate<string[]>(lostText)),
  ].map((each) => `${where}: ${each}`);
}

/** Returns what isn't the mirror image of the page if it is read from right to left, or is lost then. */
export async function faultsOfMirroring(page: Page): Promise<string[]> {
  const width = await page.evaluate<number>('document.documentElement.clientWidth');
  const before = await page.evaluate<PlaceOfBlock[]>(placesOfBlocks);
  await page.evaluate("document.documentElement.dir = 'rtl'");
  const after = await page.evaluate<PlaceOfBlock[]>(placesOfBlocks);
  const found = await lossesOf(page, 'right to left');
  if (before.length !== after.length) found.push('right to left: the page changed while it was mirrored');
  for (const [at, { left, right, name }] of after.entries()) {
    const mirrored = before[at];
    if (mirrored === undefined) break;
    const isMirrored =
      Math.abs(width - right - mirrored.left) <= tolerance &&
      Math.abs(width - left - mirrored.right) <= tolerance;
    if (!isMirrored)
      found.push(`right to left: ${name} is at ${left} to ${right}, and was at ${mirrored.left}`);
  }
  await page.evaluate("document.documentElement.dir = ''");
  return found;
}

/** Script that lists what moves by itself, or for longer than a moment. */
const moving = `document.getAnimations()
  .filter(({ playState, effect, timeline }) => playState === 'running' && timeline instanceof DocumentTimeline && effect.getComputedTiming().endTime > 100)
  .map(({ animationName, transitionProperty, effect }) => (animationName ?? transitionProperty) + ' of ' + effect.target.tagName.toLowerCase() + '.' + String(effect.target.className).slice(0, 60))`;

/** Returns what moves although the person asked for less motion. */
export async function faultsOfMotion(page: Page): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  return (await page.evaluate<string[]>(moving)).map((each) => `reduced motion: ${each} moves`);
}
