import type { Browser, BrowserContext, Page } from 'playwright-core';

/** What a context is made with, and cannot be changed later. */
export interface ContextOptions {
  timezoneId: string;
  /** How the pages' texts are written; as the browser asks when absent. */
  locale?: string | undefined;
}

export interface Held {
  context: BrowserContext;
  page: Page;
  options: string;
}

/**
 * Contexts with a page each, of which a test has those that it asked for to itself. An empty one is given to the next
 * test: to start a page's process, and to compile the dashboard in it, takes more than what most tests do then.
 */
export class PagePool {
  readonly #browser: Browser;
  /** Of the service whose pages they show. */
  readonly #origin: string;
  readonly #idle: Held[] = [];

  constructor(browser: Browser, origin: string) {
    this.#browser = browser;
    this.#origin = origin;
  }

  async take(options: ContextOptions): Promise<Held> {
    const asked = JSON.stringify([options.timezoneId, options.locale]);
    const at = this.#idle.findLastIndex((held) => held.options === asked);
    const [found] = at === -1 ? [] : this.#idle.splice(at, 1);
    if (found !== undefined) return found;
    const context = await newContext(this.#browser, options);
    return { context, page: await context.newPage(), options: asked };
  }

  /** Takes one back that shall be used again, where nothing of its test can be left in it. */
  async giveBack(held: Held): Promise<void> {
    if (await this.#empty(held).catch(() => false)) this.#idle.push(held);
    else await held.context.close();
  }

  async #empty({ context, page }: Held): Promise<boolean> {
    const isItsOwn = page.url().startsWith(`${this.#origin}/`);
    if (!isItsOwn || context.pages().length !== 1) return false;
    for (const event of heard) page.removeAllListeners(event);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto(`${this.#origin}/healthz`); // runs nothing that could keep something anew
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await context.clearCookies();
    return true;
  }
}

/** What tests listen to. */
const heard = ['console', 'dialog', 'pageerror', 'request', 'requestfailed', 'requestfinished'];

async function newContext(browser: Browser, { timezoneId, locale }: ContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext({
    timezoneId,
    locale: 'en-GB',
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
