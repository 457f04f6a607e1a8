import type { Page, Request } from 'playwright-core';

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

/** What a page asks for, and since when. */
const underWay = new WeakMap<Page, Map<Request, number>>();
/** The browser says of some requests never that they ended, as of one that a navigation gave up. */
const forgottenMs = 4_000;

/** Counts what the page asks for, for `isSettled`. */
export function watchRequests(page: Page): void {
  const requests = new Map<Request, number>();
  underWay.set(page, requests);
  page.on('request', (request) => requests.set(request, Date.now()));
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/** The heading is there, and for a tenth of a second nothing is being asked for. */
export async function isSettled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  const requests = underWay.get(page) ?? new Map<Request, number>();
  const isAsking = (): boolean => [...requests.values()].some((since) => Date.now() - since < forgottenMs);
  for (let quiet = 0, waited = 0; quiet < 2 && waited < 200; waited += 1) {
    await page.waitForTimeout(50);
    quiet = isAsking() ? 0 : quiet + 1;
  }
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** @returns by how many pixels the page is wider than its window, once what measures itself has done so */
export async function tooWideBy(page: Page): Promise<number> {
  const width = async (): Promise<number> =>
    Number(
      await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    );
  for (let tries = 0; tries < 20 && (await width()) > 0; tries += 1) await page.waitForTimeout(50);
  return width();
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
