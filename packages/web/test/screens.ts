import type { Page, Request } from 'playwright-core';

// Scripts for the page are given as text, because the tests lack the DOM types.

/** Returns the paths of the screens, in the order of the navigation. */
export async function screenPaths(page: Page): Promise<string[]> {
  const links = page.locator('nav[aria-label] a[href^="/p/"]');
  await links.first().waitFor({ state: 'attached' });
  const hrefs = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
  return hrefs.map((href) => new URL(href ?? '', 'http://page').pathname);
}

/** Opens a screen without reloading the page, and waits for its data. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`document.querySelector('nav a[href^="${path}"]').click()`);
  await page.waitForURL((url) => url.pathname.startsWith(path));
  await isSettled(page);
}

/** Pending requests of each page, with their start times. */
const pendingRequests = new WeakMap<Page, Map<Request, number>>();
/**
 * Age after which a pending request is ignored. Browsers never report the end of some requests, such as
 * aborted ones.
 */
const maxPendingMs = 4_000;

/** Tracks the page's requests, for `isSettled`. */
export function watchRequests(page: Page): void {
  const requests = new Map<Request, number>();
  pendingRequests.set(page, requests);
  page.on('request', (request) => requests.set(request, Date.now()));
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/** Waits until the page has its heading and has had no pending requests for 0.1 seconds. */
export async function isSettled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  const requests = pendingRequests.get(page) ?? new Map<Request, number>();
  const isLoading = (): boolean => [...requests.values()].some((since) => Date.now() - since < maxPendingMs);
  for (let quiet = 0, waited = 0; quiet < 2 && waited < 200; waited += 1) {
    await page.waitForTimeout(50);
    quiet = isLoading() ? 0 : quiet + 1;
  }
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
}

/**
 * @returns the number of pixels by which the page is wider than its window, once components have measured
 * themselves
 */
export async function tooWideBy(page: Page): Promise<number> {
  const width = async (): Promise<number> =>
    Number(
      await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    );
  for (let tries = 0; tries < 20 && (await width()) > 0; tries += 1) await page.waitForTimeout(50);
  return width();
}

/** Selector for the screens' own text. Cells and options come from the data. */
const ownTexts = 'h1, label, th[scope=col], nav a, [role=tab], legend';
/** Time zones and currencies, which are data. */
const codes = /^(UTC|[A-Z]\w+\/\w+|[A-Z]{3})$/;

/** Returns a page's untranslated text, found by showing the page in the pseudo-locale. */
export async function textsInNoCatalog(page: Page): Promise<string[]> {
  const texts = await page.locator(ownTexts).allInnerTexts();
  return texts
    .map((text) => text.trim())
    .filter((text) => /[A-Za-z]{3}/.test(text) && !text.includes('⟦') && !codes.test(text));
}
