import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Options that can't be changed once a context exists. */
export interface ContextOptions {
  timezoneId: string;
  /** Language of the pages; the browser's language by default. */
  locale?: string | undefined;
  hasTouch: boolean;
}

export interface Held {
  context: BrowserContext;
  page: Page;
  options: string;
}

/**
 * Pool of contexts with one page each. A test has exclusive use of its contexts. Contexts are cleared and
 * reused, because starting a page and compiling the dashboard in it takes longer than most tests.
 */
export class PagePool {
  readonly #browser: Browser;
  /** Origin of the service. */
  readonly #origin: string;
  readonly #idle: Held[] = [];

  constructor(browser: Browser, origin: string) {
    this.#browser = browser;
    this.#origin = origin;
  }

  async take(options: ContextOptions): Promise<Held> {
    const key = JSON.stringify([options.timezoneId, options.locale, options.hasTouch]);
    const at = this.#idle.findLastIndex((held) => held.options === key);
    const [found] = at === -1 ? [] : this.#idle.splice(at, 1);
    if (found !== undefined) return found;
    const context = await newContext(this.#browser, options);
    return { context, page: await context.newPage(), options: key };
  }

  /** Returns a context to the pool, or closes it if it can't be cleared. */
  async giveBack(held: Held): Promise<void> {
    if (await this.#empty(held).catch(() => false)) this.#idle.push(held);
    else await held.context.close();
  }

  async #empty({ context, page }: Held): Promise<boolean> {
    const isOnService = page.url().startsWith(`${this.#origin}/`);
    if (!isOnService || context.pages().length !== 1) return false;
    for (const event of testEvents) page.removeAllListeners(event);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto(`${this.#origin}/healthz`); // a page without scripts that could store something again
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await context.clearCookies();
    return true;
  }
}

/** Events that tests listen to. */
const testEvents = ['console', 'dialog', 'pageerror', 'request', 'requestfailed', 'requestfinished'];

async function newContext(
  browser: Browser,
  { timezoneId, locale, hasTouch }: ContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    timezoneId,
    hasTouch,
    // Pictures show dates and amounts as readers of American English see them.
    locale: process.env.SHOTS === undefined ? 'en-GB' : 'en-US',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(10_000);
  if (locale !== undefined) {
    const chosen = JSON.stringify({ locale });
    await context.addInitScript(`localStorage.setItem('attribution-preferences', ${JSON.stringify(chosen)})`);
  }
  return context;
}
