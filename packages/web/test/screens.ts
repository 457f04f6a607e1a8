import type { Page } from 'playwright-core';

// What runs in the page is given as text: the tests know no browser's types, and the pages' own are not theirs.

/** The paths of the screens there are, in the order of the navigation. */
export async function screenPaths(page: Page): Promise<string[]> {
  const links = page.locator('nav[aria-label] a[href^="/p/"]');
  await links.first().waitFor({ state: 'attached' });
  const hrefs = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
  return hrefs.map((href) => new URL(href ?? '', 'http://page').pathname);
}

/** Goes to a screen without loading the page anew, and waits until it shows what it asked for. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`document.querySelector('nav a[href^="${path}"]').click()`);
  await page.waitForURL((url) => url.pathname.startsWith(path));
  await isSettled(page);
}

/** The heading is there, and nothing is being asked for. */
export async function isSettled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** Words of the screens themselves; what is in cells and options comes from the data, and zones have their own names. */
const ownWords = 'h1, label, th[scope=col], nav a, [role=tab], legend';
const zone = /^(UTC|[A-Z]\w+\/\w+)$/;

/** Of the pseudo-locale's page: what was not looked up. */
export async function textsInNoCatalogue(page: Page): Promise<string[]> {
  const texts = await page.locator(ownWords).allInnerTexts();
  return texts
    .map((text) => text.trim())
    .filter((text) => /[A-Za-z]{3}/.test(text) && !text.includes('⟦') && !zone.test(text));
}
